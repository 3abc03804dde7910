#!/usr/bin/env lua
--- A module.
local M = {}
local a <const>, b = 1, 2.5e3
--[[ Several
lines. ]]
M.options = { name = "x", ["other key"] = 'y', [3] = 0x1F; nil, true, false }
local text = [==[
  one ]]
]==]

function M.top(x, y, ...)
  local n = select("#", ...)
  if x and y or not n then
    a = x
  elseif x == nil then
    b = y
  else
    if n ~= 0 then return ... end
  end
  for i = 1, 10, 2 do
    for k, v in pairs(x) do
      if k then goto continue end
      print(i, k, v)
      ::continue::
    end
  end
  while true do
    repeat local z = x.y.z[1] until z
    break
  end
  return x and 1 or 2
end

function M:method(self_too)
  self.count = (self.count or 0) + 1
  return self:other { 1, 2 } .. "a" .. #text
end

local function fact(n)
  return n <= 1 and 1 or n * fact(n - 1)
end

M.assigned = function(x) return x // 2 ~ 1 << 3 end
local handlers = {
  open = function(file)
    local ok, err = pcall(function() return file:read "a" end)
    if not ok then error(err) end
    return ok
  end,
}
table.sort(handlers, function(l, r)
  if l == r then return false end
  return l < r
end)
do
  local scoped = -a ^ 2
  fact(scoped);
end
return M
