" Messages of `pmc check` for the quickfix list.
let current_compiler = "pmc"
let &l:makeprg = get(g:, "pm_compiler", "pmc") . " check %:S"
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
