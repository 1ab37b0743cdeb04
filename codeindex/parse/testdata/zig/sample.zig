const std = @import("std");
const Allocator = std.mem.Allocator;

/// The rate of tax, in hundredths.
pub const rate: u32 = 19;
var counter: usize = 0;

/// An order of some lines.
pub const Order = struct {
    lines: []const u32,
    name: []const u8,

    pub const State = enum { open, paid };

    /// Adds up what the lines cost.
    pub fn total(self: *const Order) u32 {
        var sum: u32 = 0;
        // pub fn commented() void {}
        for (self.lines) |line| {
            sum += withTax(line);
        }
        return sum;
    }
};

const Failure = error{
    Empty,
    TooLong,
};

const text =
    \\pub fn quoted() void {
    \\
;

fn withTax(
    amount: u32,
) u32 {
    const brace = '{';
    const s = "} fn alsoQuoted() {";
    _ = brace;
    _ = s;
    return amount + amount * rate / 100;
}

pub fn main() !void {
    counter += 1;
    const order = Order{ .lines = &.{ 1, 2 }, .name = text };
    std.debug.print("{d}\n", .{order.total()});
}

test "total has tax" {
    try std.testing.expect(withTax(100) == 119);
}
