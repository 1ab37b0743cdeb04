{ pkgs ? import <nixpkgs> { }, lib, ... }:

let
  # Adds the tax.
  withTax = amount: rate:
    amount * (1 + rate);

  /* commented = x: x; */

  total = { lines, rate ? 0.19 }:
    let
      add = sum: line: sum + withTax line rate;
    in
    lib.foldl add 0 lines;

  version = "1.0";

  script = ''
    quoted = x: x;
    echo "${version}"
  '';
in
{
  inherit version;

  # The program.
  shop = pkgs.stdenv.mkDerivation {
    pname = "shop";
    inherit version;
    src = ./.;
    buildPhase = ''
      make
    '';
  };

  services.shop = {
    enable = true;
    port = 8080;
  };

  devShells.default = pkgs.mkShell {
    packages = [
      pkgs.go
    ];
  };
}
