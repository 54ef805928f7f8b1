-- Drives Neovim as a user would, and writes what was seen as JSON: run by test_neovim.py.
local told, result = {}, {}
local arguments = vim.json.decode(table.concat(vim.fn.readfile(vim.env.UNFOLD_DRIVE), "\n"))
local unfold = dofile(arguments.client).setup({ cmd = arguments.command })

local function server()
  for _, each in pairs(vim.lsp.get_active_clients()) do
    if each.name == "unfold" then return each end
  end
end

local function wait(what, holds)
  if not vim.wait(arguments.patience, holds, 20) then error("no " .. what) end
end

local function edit(path, filetype)
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  vim.bo.filetype = filetype
  wait("server", function()
    local found = server()
    return found and found.initialized and vim.lsp.buf_is_attached(0, found.id)
  end)
end

local function place(sought)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. sought, "cW") > 0, sought)
  return vim.lsp.util.make_position_params(0, server().offset_encoding)
end

local function ask(method, params)
  local answered = server().request_sync(method, params, arguments.patience, 0)
  assert(answered and not answered.err, vim.inspect(answered))
  return answered.result
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)
end

local function everything(sought)
  local at = place(sought)
  local document = { textDocument = at.textDocument }
  local whole = { start = { line = 0, character = 0 }, ["end"] = at.position }
  local action = { textDocument = at.textDocument, context = { diagnostics = {} },
    range = { start = at.position, ["end"] = at.position } }
  local references = vim.tbl_extend("error", at, { context = { includeDeclaration = true } })
  local function titles(each, title)
    return vim.tbl_map(title, each)
  end
  return {
    hover = ask("textDocument/hover", at).contents.value,
    definition = ask("textDocument/definition", at),
    references = #ask("textDocument/references", references),
    symbols = titles(ask("textDocument/documentSymbol", document), function(s) return s.name end),
    lenses = #ask("textDocument/codeLens", document),
    hints = #ask("textDocument/inlayHint", { textDocument = at.textDocument, range = whole }),
    actions = titles(ask("textDocument/codeAction", action), function(a) return a.title end),
  }
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), "xt", false)
end

-- The window that steps, from the command to what it puts into the text and one undo.
local function step(sought)
  local source = vim.api.nvim_get_current_buf()
  local before = lines(source)
  place(sought)
  vim.cmd("UnfoldStep")
  wait("window", function() return unfold.window ~= nil end)
  local states = { unfold.window.shown.state }
  local function pressed(keys, state)
    press(keys)
    wait("state " .. state, function() return unfold.window.shown.state == state end)
    table.insert(states, unfold.window.shown.state)
  end
  pressed("n", 1)
  pressed("n", 2)
  pressed("p", 1)
  local shown = lines(unfold.window.buffer)
  local coloured = #vim.api.nvim_buf_get_extmarks(unfold.window.buffer,
    vim.api.nvim_create_namespace("unfold"), 0, -1, {})
  press("<CR>")
  wait("text", function() return not vim.deep_equal(lines(source), before) end)
  local after = lines(source)
  vim.cmd("undo")
  return { states = states, shown = shown, coloured = coloured, after = after,
    undone = vim.deep_equal(lines(source), before), closed = unfold.window == nil }
end

local done, problem = pcall(function()
  for _, file in ipairs(arguments.files) do
    edit(file.path, file.filetype)
    result[file.name] = everything(file.sought)
    result[file.name].step = file.step and step(file.step) or nil
  end
  result.workspace = #ask("workspace/symbol", { query = "mine" })
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "int z = TWICE(1;" })
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  result.diagnostics = vim.diagnostic.get(0)[1].code
end)
told = { result = result, problem = not done and tostring(problem) or nil }
vim.fn.writefile({ vim.json.encode(told) }, arguments.result)
vim.cmd("qall!")
