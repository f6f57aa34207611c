import {
  CART_CHANGING_KEY,
  CART_MARK_KEY,
  CART_CHANGE_TIMEOUT_MS,
  RECENT_KEY,
  TOKEN_KEY,
} from '#src/ui/browser-storage.ts';

/**
 * Which styles yield to which. It stands before every style sheet: which of those comes first is the bundler's choice, and
 * the first mention of a layer decides.
 */
export const LAYER_ORDER = '@layer tokens, base, components;';

/**
 * Runs in the head, before anything is painted: tells the styles whether somebody is signed in, whether the cart holds
 * something and whether products were looked at; and for those it asks for what the page will want of them, while its
 * scripts are still to come. The HTML itself is the same for everybody. A cart that the page before is changing is asked
 * for later.
 */
export const headScript = `try{(function(r,s){
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
