@echo off
rem Builds the shop.
set RATE=19
set /a TOTAL=0

call :total 1 2
call tools\rates.bat
goto :eof

:: :commented

rem Adds up.
:total
set /a TOTAL+=%1
if "%1"==":quoted" (
    call :with_tax %1
)
exit /b 0

:with_tax
echo :not_this
exit /b 0
