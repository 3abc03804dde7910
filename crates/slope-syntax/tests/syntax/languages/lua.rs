//! Lua.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn lua_decisions_follow_the_definitions() {
    costs(
        "lua",
        "function f() % end",
        &[
            ("if a then end", 1, 1),
            ("if a then b() elseif c then d() else e() end", 2, 3),
            ("if a then b() else if c then d() end end", 2, 4),
            ("for i = 1, 2 do for k in pairs(a) do end end", 2, 3),
            ("while a do repeat b() until c end", 2, 3),
            ("return a and b or c", 2, 2),
            ("return a and b and not c", 2, 1),
            ("x = x or {}", 1, 1),
            ("while a do break end", 1, 1),
            ("goto done ::done::", 0, 1),
            ("do b() end", 0, 0),
            ("assert(a) error(b) pcall(c)", 0, 0),
        ],
    );
}

#[test]
fn lua_callables_have_names_of_variables() {
    lists(
        "lua",
        "\
local M = {}
function top(a, b, ...) end
local function inner() return 1 end
function M.f(a) end
function M:g(a)
  return function() self.x = 1 end
end
M.h = function() end
local a, b = 1, function(x) return x end
local t = {
  open = function() end,
  [\"key\"] = { deep = function() end },
  function() c() d() end,
}
M.sub.t[1] = function() end
table.sort(t, function(l, r)
  if l then return true end
end)
it('does', function() a() b() end)
obj:on('x', function() a() b() end)
",
        &[
            ("top", 'F', 3, 1, 1),
            ("inner", 'F', 0, 1, 1),
            ("M.f", 'F', 1, 1, 1),
            ("M.g", 'M', 1, 2, 1),
            ("M.h", 'F', 0, 1, 1),
            ("b", 'F', 1, 1, 1),
            ("t.open", 'F', 0, 1, 1),
            ("t.key.deep", 'F', 0, 1, 1),
            ("t", 'F', 0, 1, 1),
            ("M.sub.t[1]", 'F', 0, 1, 1),
            ("sort.<function>", 'L', 2, 2, 2),
            ("it.<function>", 'L', 0, 1, 1),
            ("on.<function>", 'L', 0, 1, 1),
        ],
    );
}

#[test]
fn lua_comments_and_ends_are_blank() {
    let code = "#!/usr/bin/lua\n-- a\n--[[ b\n]]\nif a\nthen\n  s = [[\none\n\n]] -- c\nend\n";
    let source = tree("lua", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [4, 6, 7, 9]);
}
