" Perl's modules have the same ending; specs have no 'package' line.
autocmd BufNewFile,BufRead *.pm if search('^\s*package\s', 'nw') == 0 | setlocal filetype=pm | endif
