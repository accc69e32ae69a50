" Settings for .pm specs. `:make` checks the spec, `gq` and `:Format` format it.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=:// shiftwidth=2 softtabstop=2 expandtab
compiler pmc
let &l:formatprg = get(g:, "pm_compiler", "pmc") . " fmt -"

function! s:Format() abort
  let l:text = join(getline(1, "$"), "\n") . "\n"
  let l:result = system(get(g:, "pm_compiler", "pmc") . " fmt - 2>/dev/null", l:text)
  if v:shell_error
    echohl ErrorMsg | echo "pmc fmt: syntax errors; see :make" | echohl None
  elseif l:result !=# l:text
    let l:view = winsaveview()
    call setline(1, split(l:result, "\n"))
    silent execute (len(split(l:result, "\n")) + 1) . ",$delete _"
    call winrestview(l:view)
  endif
endfunction
command! -buffer Format call s:Format()
let b:undo_ftplugin = "setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< formatprg< makeprg< errorformat< | delcommand Format"
