" The command of the language server. g:pm_arguments are flags of pmc lsp.
function! pm#ServerCommand() abort
  return [get(g:, "pm_compiler", "pmc"), "lsp"] + get(g:, "pm_arguments", [])
endfunction
