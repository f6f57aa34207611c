/**
 * Lets a page start its scripts after it has been seen: once it has loaded, or as soon as somebody touches it. What is
 * pressed before they have taken over is held back and pressed again, once, when they have. Links and searches work by
 * themselves from the start. What the start does is what React Router's own script would do, to be kept in step with it.
 */

/** After the page has loaded: what is seen first has been drawn by then. */
const AFTER_LOAD_MS = 200;
/** A picture that does not come must not hold back the page. */
const MAX_DELAY_MS = 2500;
/** The event that the page sends when its buttons answer. */
const READY_EVENT = 'shop:ready';

/**
 * In the head. `startShop(f)` calls f when the time has come. A press on a button is held back unless it works without
 * a script: in a form with an address that is only read. It is repeated when the page is ready, if the button is still
 * there and still says the same; if the scripts do not come, it is left to the browser. What was ticked or typed stays
 * and is told to the page, which has not heard of it: React takes note of what differs from what it knows, so its own
 * note (the property of the element itself, not of its kind) is changed first.
 */
export const DEFERRED_HYDRATION_SCRIPT = `(function(d,w){
var start,due,over,held=new Map();
function begin(){due=1;if(start){var f=start;start=0;f().then(function(){setTimeout(end,8000)},end)}}
function says(b){return b.getAttribute('aria-label')||b.textContent}
function tick(b){return/^(radio|checkbox)$/.test(b.type)}
function hold(b,what){if(held.size<32||held.has(b))held.set(b,what)}
function press(e){
var b=e.target.closest&&e.target.closest('button,input'),f=b&&b.form,isButton;
if(!b||b.disabled)return;
begin();
isButton=b.tagName=='BUTTON';
if(!isButton&&!tick(b)||isButton&&b.type=='submit'&&f&&f.method=='get'&&f.hasAttribute('action'))return;
e.stopImmediatePropagation();
if(!isButton)return hold(b,b.checked);
e.preventDefault();
b.dataset.held='';
hold(b,says(b))
}
function type(e){if(!tick(e.target))hold(e.target,e.target.value)}
function tell(b,was){
if(tick(b)){b.checked=!was;return b.click()}
if(b.tagName!='SELECT')b.value='';
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(b),'value').set.call(b,was);
b.dispatchEvent(new Event(b.tagName=='SELECT'?'change':'input',{bubbles:true}))
}
function end(ready){
if(over)return;
over=1;
w.removeEventListener('click',press,true);
w.removeEventListener('input',type,true);
var list=Array.from(held);
(function next(){
var one=list.shift(),b=one&&one[0];
if(!b)return;
delete b.dataset.held;
setTimeout(next);
if(b.tagName!='BUTTON')ready===true&&b.isConnected&&tell(b,one[1]);
else if(b.isConnected&&!b.disabled&&says(b)==one[1])b.click()
})()
}
w.addEventListener('click',press,true);
w.addEventListener('input',type,true);
d.addEventListener('${READY_EVENT}',function(){end(true)});
['pointerdown','keydown','focusin'].forEach(function(t){w.addEventListener(t,begin,{capture:true,once:true,passive:true})});
w.startShop=function(f,now){
start=f;
if(due||now)return begin();
w.addEventListener('load',function(){setTimeout(begin,${AFTER_LOAD_MS})});
setTimeout(begin,${MAX_DELAY_MS})
}
})(document,window)`.replaceAll('\n', '');

/** The element whose text is the page's data, as React Router writes it. It is no script: nothing runs it. */
export const DATA_ID = 'page-data';

export interface HydrationOptions {
  /** What React Router's scripts look for under `window.__reactRouterContext`, as JSON. */
  readonly handoff: string;
  /** Addresses of the list of routes and of the script that begins. */
  readonly manifest: string;
  readonly entry: string;
  /** Of the page's own routes, from the outermost: their names and the addresses of their scripts. */
  readonly routes: readonly (readonly [string, string])[];
  /** Everything that these want, in the order in which it is to be fetched. */
  readonly preloads: readonly string[];
  /** A public page waits until it has been seen; any other starts as soon as it is there. */
  readonly isPublic: boolean;
}

/** The page's last script: it stands behind the data. */
export function createHydrationScript({
  handoff,
  manifest,
  entry,
  routes,
  preloads,
  isPublic,
}: HydrationOptions): string {
  const wanted = [manifest, ...routes.map(([, path]) => path)].map((path) => `import("${path}")`);
  const modules = routes.map(([id], index) => `${JSON.stringify(id)}:m[${index + 1}]`);
  return (
    `startShop(function(){var c=window.__reactRouterContext=${handoff};` +
    `c.stream=new Response(document.getElementById("${DATA_ID}").textContent).body;` +
    `${JSON.stringify(preloads)}.forEach(function(h){var l=document.createElement('link');` +
    `l.rel='modulepreload';l.href=h;document.head.append(l)});` +
    `return Promise.all([${wanted.join()}]).then(function(m){` +
    `window.__reactRouterRouteModules={${modules.join()}};return import("${entry}")})}${isPublic ? '' : ',1'})`
  );
}
