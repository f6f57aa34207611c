import { CART_MARK_KEY, TOKEN_KEY } from './browser-storage.ts';

/**
 * Runs in the head, before anything is painted: tells the styles whether somebody is signed in and whether the cart
 * holds something. The HTML itself is the same for everybody.
 */
export const firstPaintScript = `try{var d=document.documentElement.dataset;if(localStorage.getItem('${TOKEN_KEY}'))d.auth='';if(parseInt(localStorage.getItem('${CART_MARK_KEY}'))>0)d.cart=''}catch(e){}`;
