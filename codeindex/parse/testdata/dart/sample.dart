import 'dart:math';
import 'package:flutter/material.dart' show Widget;

typedef Rate = double Function(String country);

/// The rate of tax.
const double rate = 0.19;
final cache = <String, double>{};

enum State { open, paid }

/* class Commented { void none() {} } */

/// An order of some lines.
@immutable
class Order extends Base implements Priced {
  final List<double> lines;

  Order(this.lines) {
    check(lines);
  }

  factory Order.empty() {
    return Order([]);
  }

  /// Adds up.
  @override
  double total({double rate = rate}) {
    var sum = 0.0;
    for (final line in lines) {
      if (line > 0) {
        sum += withTax(line);
      }
    }
    return sum;
  }

  int get size => lines.length;

  String describe() => 'void quoted() { ${lines.length}';

  Future<Map<String, List<int>>> load(String id) async {
    final text = """
class Quoted {
""";
    return await fetch(id, text);
  }
}

mixin Priced {
  double price() => 1;
}

extension Rounded on double {
  double cents() {
    return (this * 100).round() / 100;
  }
}

double withTax(double amount) => amount * (1 + rate);

void main(List<String> args) {
  print(Order([1, 2]).total());
}
