/**
 * Defers hydration until the page has loaded or the visitor interacts with it. Presses before hydration are recorded and
 * replayed once. Links and search forms work without scripts. The script repeats what React Router's `<Scripts>` would do;
 * react-router.test.ts fails when that changes.
 */

/** Delay after the load event, so the first paint is done. */
const AFTER_LOAD_MS = 200;
/** Starts anyway, for example if a picture does not load. */
const MAX_DELAY_MS = 2500;
/** Sent by the page when it is hydrated. */
const READY_EVENT = 'shop:ready';

/**
 * In the head. `startShop(f)` calls f when hydration should start. A press on a button is recorded unless it submits a GET
 * form with an action. It is replayed after hydration if the button still exists with the same label; if the scripts fail to
 * load, the browser handles it. Checked and typed values are replayed as events: React compares them with the value that it
 * tracks on the element, so that value is reset first, through the prototype's setter.
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

/** Id of the element that contains the loader data. Its type is JSON, so it is not executed. */
export const DATA_ID = 'page-data';

export interface HydrationOptions {
  /** The value of `window.__reactRouterContext`, as JSON. */
  readonly handoff: string;
  /** URLs of the route manifest and the entry script. */
  readonly manifest: string;
  readonly entry: string;
  /** Ids and script URLs of the matched routes, outermost first. */
  readonly routes: readonly (readonly [string, string])[];
  /** URLs of all scripts, in the order of download. */
  readonly preloads: readonly string[];
  /** Only public pages defer hydration. */
  readonly isPublic: boolean;
}

/** The last script of the page, after the data. */
export function createHydrationScript({
  handoff,
  manifest,
  entry,
  routes,
  preloads,
  isPublic,
}: HydrationOptions): string {
  const imports = [manifest, ...routes.map(([, path]) => path)].map((path) => `import("${path}")`);
  const modules = routes.map(([id], index) => `${JSON.stringify(id)}:m[${index + 1}]`);
  return (
    `startShop(function(){var c=window.__reactRouterContext=${handoff};` +
    `c.stream=new Response(document.getElementById("${DATA_ID}").textContent).body;` +
    `${JSON.stringify(preloads)}.forEach(function(h){var l=document.createElement('link');` +
    `l.rel='modulepreload';l.href=h;document.head.append(l)});` +
    `return Promise.all([${imports.join()}]).then(function(m){` +
    `window.__reactRouterRouteModules={${modules.join()}};return import("${entry}")})}${isPublic ? '' : ',1'})`
  );
}
