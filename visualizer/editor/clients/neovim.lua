-- Unfold in Neovim (0.7 or later), beside clangd:
--
--   dofile("…/neovim.lua").setup({ flags = { "-p", "build" } })
--
-- :UnfoldStep opens a window at the cursor that steps through the invocation there: n, p one step
-- further or back, x what is under the cursor by one level, X wholly, <CR> puts the line as it is
-- into the text, q closes. :UnfoldExpand and :UnfoldWhole open it expanded so far, and with a !
-- put that into the text at once.
local M = { name = "unfold", filetypes = { c = true, cpp = true, cuda = true } }
local marks = vim.api.nvim_create_namespace("unfold")
local KEYS = "n next · p back · x one level here · X wholly · Enter into the text · q close"

local function client()
  for _, each in pairs(vim.lsp.get_active_clients()) do
    if each.name == M.name then return each end
  end
end

-- Have the server do something; `done` gets what it answers.
function M.command(name, arguments, done)
  local server = client()
  if not server then return vim.notify("unfold: no server is attached", vim.log.levels.WARN) end
  local asked = { command = name, arguments = arguments }
  server.request("workspace/executeCommand", asked, function(problem, result)
    if problem then return vim.notify("unfold: " .. problem.message, vim.log.levels.ERROR) end
    if done then done(result) end
  end)
end

local function here()
  local asked = vim.lsp.util.make_position_params(0, client() and client().offset_encoding)
  return asked.textDocument.uri, asked.position
end

local function draw(shown)
  local window = M.window
  local lines = vim.split(shown.text:gsub("\n$", ""), "\n", { plain = true })
  vim.bo[window.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(window.buffer, 0, -1, false, lines)
  vim.bo[window.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(window.buffer, marks, 0, -1)
  local encoding = client() and client().offset_encoding or "utf-16"
  for _, changed in ipairs(shown.changed) do
    local line = lines[changed.line + 1]
    local function byte(unit)
      return encoding == "utf-8" and unit or vim.str_byteindex(line, unit, encoding == "utf-16")
    end
    local first, last = byte(changed.start), byte(changed["end"])
    vim.api.nvim_buf_add_highlight(window.buffer, marks, "DiffAdd", changed.line, first, last)
  end
  vim.api.nvim_buf_set_extmark(window.buffer, marks, #lines - 1, 0, {
    virt_lines = { { { "" } }, { { KEYS, "Comment" } } },
  })
  window.shown = shown
  if vim.api.nvim_win_is_valid(window.id) then -- never smaller: what is looked at stays where it is
    local height = math.max(math.min(#lines + 2, vim.o.lines - 6), 4)
    vim.api.nvim_win_set_height(window.id, math.max(height, vim.api.nvim_win_get_height(window.id)))
  end
end

local function close()
  if M.window and vim.api.nvim_win_is_valid(M.window.id) then
    vim.api.nvim_win_close(M.window.id, true)
  end
  M.window = nil
end

local function key(buffer, keys, act)
  vim.keymap.set("n", keys, act, { buffer = buffer, nowait = true })
end

-- The window, with what a command answered in it.
function M.show(shown)
  if not shown or shown == vim.NIL then return end
  if M.window and vim.api.nvim_win_is_valid(M.window.id) then return draw(shown) end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "wipe"
  local width = math.max(math.min(vim.o.columns - 4, 104), 20)
  local id = vim.api.nvim_open_win(buffer, true, {
    relative = "cursor", row = 1, col = 0, width = width, height = 4,
    style = "minimal", border = "single",
  })
  M.window = { id = id, buffer = buffer }
  draw(shown)
  vim.bo[buffer].syntax = "cpp"
  vim.api.nvim_win_set_cursor(id, { math.min(shown.code + 1, vim.api.nvim_buf_line_count(buffer)), 0 })
  local function moved(name)
    return function() M.command(name, { M.window.shown.uri }, M.show) end
  end
  local function expanded(how)
    return function()
      local place = vim.lsp.util.make_position_params(0, client().offset_encoding).position
      M.command("unfold.expandHere", { M.window.shown.uri, place, how }, M.show)
    end
  end
  key(buffer, "n", moved("unfold.next"))
  key(buffer, "p", moved("unfold.back"))
  key(buffer, "x", expanded("level"))
  key(buffer, "X", expanded("whole"))
  key(buffer, "q", close)
  key(buffer, "<CR>", function()
    local uri = M.window.shown.uri
    close()
    M.command("unfold.keep", { uri })
  end)
end

-- A command line of Unfold in a terminal below.
local function in_terminal(answered)
  if not answered or answered == vim.NIL then return end
  vim.cmd("botright new")
  vim.fn.termopen(answered.words)
end

local function run(command)
  local arguments = command.arguments
  local inside = command.command
  if inside == "unfold.open" or inside == "unfold.run" or inside == "unfold.verify" then
    M.command(inside, arguments, in_terminal)
  elseif inside == "unfold.intoText" or inside == "unfold.keep" then
    M.command(inside, arguments)
  else
    M.command(inside, arguments, M.show)
  end
end

function M.expand(how, into_text)
  local uri, place = here()
  if into_text then return M.command("unfold.intoText", { uri, place, how }) end
  M.command("unfold.expand", { uri, place, how }, M.show)
end

function M.attach(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == "" or not M.filetypes[vim.bo[buffer].filetype] then return end
  local root = vim.fs and vim.fs.dirname(name) or vim.fn.fnamemodify(name, ":p:h")
  if not M.id or not vim.lsp.get_client_by_id(M.id) then
    M.id = vim.lsp.start_client({
      name = M.name,
      cmd = M.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd()), name = "here" } },
      handlers = M.handlers,
    })
  end
  if M.id then vim.lsp.buf_attach_client(buffer, M.id) end
end

function M.setup(options)
  options = options or {}
  M.cmd = options.cmd or vim.list_extend({ "unfold", "lsp" }, options.flags or {})
  for _, name in ipairs({
    "step", "expand", "next", "back", "expandHere", "intoText", "keep", "open", "run", "verify",
  }) do
    vim.lsp.commands["unfold." .. name] = run
  end
  local function define(name, act, bang)
    vim.api.nvim_create_user_command(name, act, { bang = bang })
  end
  define("UnfoldStep", function()
    local uri, place = here()
    M.command("unfold.step", { uri, place }, M.show)
  end, false)
  define("UnfoldExpand", function(given) M.expand("level", given.bang) end, true)
  define("UnfoldWhole", function(given) M.expand("whole", given.bang) end, true)
  define("UnfoldArgument", function() M.expand("argument", false) end, false)
  define("UnfoldOpen", function()
    local uri, place = here()
    M.command("unfold.open", { uri, place }, in_terminal)
  end, false)
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("unfold", {}),
    pattern = vim.tbl_keys(M.filetypes),
    callback = function(found) M.attach(found.buf) end,
  })
  M.attach(vim.api.nvim_get_current_buf())
  return M
end

return M
