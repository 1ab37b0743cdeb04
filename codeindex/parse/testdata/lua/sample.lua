local json = require("json")
local M = {}

-- How many.
local LIMIT = 10
count = 1

--- Adds up.
-- @param rate
function M.total(rate, ...)
  local sum = 0
  for _, line in ipairs(M.lines) do
    sum = sum + line:price() * rate
  end
  return round(sum)
end

function M.Order:open()
  return function() return self:close() end
end

local function helper(x)
  return x
end

local add = function(a, b)
  return helper(a + b)
end

M.sub = function(a) return add(a, 1) end

return setmetatable(M, {
  __index = function(t, k) return k end,
  read = function(self) return json.decode(self.text) end,
})
