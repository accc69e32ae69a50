" The language server for .pm specs: in Neovim, and with the plugins vim-lsp and yegappan/lsp.
if exists("g:loaded_pm")
  finish
endif
let g:loaded_pm = 1

augroup pm_server
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
        \ "name": "pmc", "cmd": {_ -> pm#ServerCommand()}, "allowlist": ["pm"]})
  autocmd User LspSetup call LspAddServer([{
        \ "name": "pmc", "filetype": ["pm"], "path": pm#ServerCommand()[0], "args": pm#ServerCommand()[1:]}])
  if has("nvim")
    autocmd FileType pm lua vim.lsp.start({
          \ name = "pmc", cmd = vim.fn["pm#ServerCommand"](), root_dir = vim.fn.expand("%:p:h")})
  endif
augroup END
