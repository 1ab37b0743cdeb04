      * Orders and what they cost.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHOP.

       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY RATES.
       01  WS-ORDER.
           05  WS-LINES  PIC 9(5)V99 OCCURS 10 TIMES.
           05  WS-COUNT  PIC 99 VALUE 0.
       01  WS-TOTAL      PIC 9(7)V99.
      * COMMENTED SECTION.
       01  WS-TEXT       PIC X(20) VALUE "QUOTED SECTION.".

       PROCEDURE DIVISION.
       MAIN SECTION.
       BEGIN-ORDER.
           MOVE 2 TO WS-COUNT
           PERFORM ADD-UP
           DISPLAY WS-TOTAL
           STOP RUN.

      * Adds up.
       ADD-UP.
           MOVE 0 TO WS-TOTAL
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > WS-COUNT
               IF WS-LINES(I) > 0
                   PERFORM WITH-TAX
               END-IF
           END-PERFORM.

       WITH-TAX.
           *> NONE.
           COMPUTE WS-TOTAL = WS-TOTAL + WS-LINES(I) * 1.19.
