alias Money = f32;

const RATE: f32 = 0.19;
override SIZE: u32 = 64;

// An order.
struct Order {
    amount: f32,
    count: u32,
}

@group(0) @binding(0) var<storage, read> orders: array<Order>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

/* fn commented() {
/* nested */
} */

// Adds the tax.
fn with_tax(amount: f32) -> f32 {
    if (amount > 0.0) {
        return amount * (1.0 + RATE);
    }
    return 0.0;
}

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    sums[id.x] = with_tax(orders[id.x].amount);
}
