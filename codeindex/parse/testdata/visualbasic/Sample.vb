Imports System.Collections.Generic

Namespace Shop.Orders

    Public Enum State
        Open
        Paid
    End Enum

    ''' What has a price.
    Public Interface IPriced
        Function Price() As Double
    End Interface

    ' Class Commented

    ''' An order of some lines.
    <Serializable>
    Public Class Order
        Implements IPriced

        Private Const Rate As Double = 0.19
        Private ReadOnly text As String = "Sub Quoted()"

        Public Property Name As String

        Public ReadOnly Property Size As Integer
            Get
                Return 1
            End Get
        End Property

        Public Sub New(lines As List(Of Double))
            Me.Lines = lines
        End Sub

        ' Adds up.
        Public Function Price() As Double Implements IPriced.Price
            Dim sum As Double = 0
            For Each line In Lines
                If line > 0 Then
                    sum += WithTax(line)
                End If
            Next
            Return sum
        End Function

        Public MustOverride Sub Later()
    End Class

    Module Program
        Sub Main()
            Console.WriteLine("End Sub")
        End Sub
    End Module

End Namespace
