local rates = import 'rates.libsonnet';

// Adds the tax.
local withTax(amount) =
  amount * (1 + rates.tax);

local lines = [1, 2];

# local commented(x) = x;

{
  /* alsoCommented: {}, */
  name: 'shop',
  // What it costs.
  order: {
    lines: lines,
    total(scale=1): std.sum([
      withTax(line) * scale
      for line in self.lines
    ]),
  },
  text: |||
    quoted: { }
  |||,
  hidden:: {
    note: "also: {",
  },
}
