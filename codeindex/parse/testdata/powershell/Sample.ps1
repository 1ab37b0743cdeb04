using module ./Rates.psm1
Import-Module Pester

$Rate = 0.19

<#
function Commented {
}
#>

# Adds the tax.
function Add-Tax {
    param(
        [double]$Amount,
        [double]$Rate = $script:Rate
    )
    return $Amount * (1 + $Rate) # function NotThis {
}

enum State {
    Open
    Paid
}

class Order {
    [double[]]$Lines
    [string]$Name = "function Quoted { "

    Order([double[]]$lines) {
        $this.Lines = $lines
    }

    # Adds up.
    [double] Total() {
        $sum = 0
        foreach ($line in $this.Lines) {
            $sum += Add-Tax $line
        }
        return $sum
    }

    static [Order] Empty() { return [Order]::new(@()) }
}

filter Get-Positive { if ($_ -gt 0) { $_ } }

function script:Write-Order($Order) {
    $text = @"
function InText {
"@
    Write-Host $text
}

Describe 'totals' {
    It 'has tax' {
        (Add-Tax 1) | Should -Be 1.19
    }
}
