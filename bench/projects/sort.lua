-- Strings, tables, a sort and closures: what most Lua programs spend their time in.
local words = {}
for i = 1, tonumber(arg[1] or 3000) do words[i] = string.format("%05d-%s", (i * 7919) % 10007, tostring(i):rep(3)) end
table.sort(words, function(a, b) return a < b end)
local count = 0
for _, word in ipairs(words) do if word:find("9%d%-") then count = count + 1 end end
print(#words, words[1], words[#words], count)
