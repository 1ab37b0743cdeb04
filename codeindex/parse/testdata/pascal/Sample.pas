unit Shop.Orders;

interface

uses
  System.SysUtils;

const
  Rate = 0.19;

type
  TState = (Open, Paid);
  TLines = array of Double;

  { What has a price. procedure Commented; }
  IPriced = interface
    ['{0B0F1D5B-9C2E-4F0A-8C3C-1D2E3F4A5B6C}']
    function Price: Double;
  end;

  TLine = record
    Amount: Double;
  end;

  { An order of some lines. }
  TOrder = class(TInterfacedObject, IPriced)
  private
    FLines: TLines;
  public
    constructor Create(const Lines: TLines);
    function Price: Double;
    property Lines: TLines read FLines;
  end;

function WithTax(Amount: Double): Double;

implementation

(* procedure AlsoCommented; *)

// Adds the tax.
function WithTax(Amount: Double): Double;
begin
  Result := Amount * (1 + Rate);
end;

constructor TOrder.Create(const Lines: TLines);
begin
  inherited Create;
  FLines := Lines;
end;

function TOrder.Price: Double;
var
  Line: Double;

  procedure Add(Amount: Double);
  begin
    Result := Result + Amount;
  end;

begin
  Result := 0;
  for Line in FLines do
  begin
    if Line > 0 then
      Add(WithTax(Line));
  end;
  WriteLn('procedure Quoted;');
end;

end.
