" Orders and what they cost.
source rates.vim
runtime! plugin/shop.vim

let g:shop_rate = 0.19
let s:text = 'function Quoted()'

" Adds the tax.
function! s:WithTax(amount) abort
  " function Commented()
  return a:amount * (1 + g:shop_rate)
endfunction

function shop#order#total(lines)
  let sum = 0
  for line in a:lines
    if line > 0
      let sum += s:WithTax(line)
    endif
  endfor
  return sum
endfunction

func Short()
endfunc

def g:Price(amount: number): number
  return amount
enddef

command! -nargs=1 Total echo shop#order#total([<args>])

augroup shop
  autocmd!
  autocmd FileType shop call Short()
augroup END

function! s:Python()
python3 << EOF
def quoted(x):
    return "function! Quoted()"
EOF
endfunction
