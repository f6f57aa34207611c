import {
  CART_CHANGING_KEY,
  CART_MARK_KEY,
  CART_CHANGE_TIMEOUT_MS,
  RECENT_KEY,
  HOST_PREFIX,
  TOKEN_COOKIE,
  TOKEN_KEY,
} from '#src/ui/browser-storage.ts';

/**
 * Order of the cascade layers. It precedes all style sheets: the first mention of a layer decides, and the bundler chooses
 * the order of the sheets.
 */
export const LAYER_ORDER = '@layer tokens, base, layout, text, components;';

/**
 * Runs before the first paint. Stores the token of a login that a plain form sent. Sets attributes for the styles: signed
 * in, cart not empty, products recently viewed. Then it prefetches user, orders and cart while the scripts load. The HTML
 * itself is the same for every visitor. The cart is not prefetched while a change of the previous page is in progress.
 */
export const headScript = `try{(function(r,s){
var n=(location.protocol=='https:'?'${HOST_PREFIX}':'')+'${TOKEN_COOKIE}=',k=('; '+document.cookie).split('; '+n)[1];
if(k){s.setItem('${TOKEN_KEY}',k.split(';')[0]);document.cookie=n+';path=/;max-age=0'+(n[0]=='_'?';secure':'')}
var t=s.getItem('${TOKEN_KEY}'),m=parseInt(s.getItem('${CART_MARK_KEY}'))>0,h={accept:'application/json'},a={};
if(t){r.dataset.auth='';h.authorization='Bearer '+t}
if(m)r.dataset.cart='';
if(s.getItem('${RECENT_KEY}'))r.dataset.recent='';
(t?['/users/user','/orders']:[]).concat((t||m)&&Date.now()-s.getItem('${CART_CHANGING_KEY}')>${CART_CHANGE_TIMEOUT_MS}?'/cart':[]).forEach(function(p){
a[p]=fetch('/api'+p,{headers:h,signal:AbortSignal.timeout(15000)}).then(function(r){return[r,Date.now()]});
a[p].catch(function(){})
});
window.earlyAnswers={token:t,answers:a}
})(document.documentElement,localStorage)}catch(e){}`.replaceAll('\n', '');
