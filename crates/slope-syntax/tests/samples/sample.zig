const std = @import("std");
const Foo = struct {
    a: u8,
    pub fn init(self: *Foo, b: u8) !u8 {
        if (a and b) |x| { return 1; } else if (c) { } else { }
        const y = if (a) 1 else 2;
        const z = foo() catch |e| return e;
        const w = q orelse 3;
        while (it.next()) |v| : (i += 1) { continue :blk; }
        for (xs) |x| {} else {}
        const r = switch (x) { 1, 2 => 3, .a => 4, else => 5 };
        const s = blk: { break :blk 3; };
    }
};
test "foo" { try x(); }
