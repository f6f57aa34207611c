/**
 * Lets a finished page start its scripts after it has been seen: once it has loaded, or as soon as somebody touches it.
 * What is pressed before they have taken over is held back and pressed again, once, when they have. Links and searches
 * work by themselves from the start. Everything here is ours to keep in step with React Router, whose module script it
 * takes apart; where that looks different, the page is left as it is.
 */

const MODULE_SCRIPT = /<script type="module" async="">([\s\S]*?)<\/script>/;
const MODULE_PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g;
const IMPORT = /^import "([^"]+)";$/;
const NAMED_IMPORT = /^import \* as (\w+) from "([^"]+)";$/;
const DYNAMIC_IMPORT = /^import\("([^"]+)"\);$/;
const MODULES = /^window\.__reactRouterRouteModules = \{.*\};$/;

/** After the page has loaded: what is seen first has been drawn by then. */
const AFTER_LOAD_MS = 200;
/** A picture that does not come must not hold back the page. */
const AT_THE_LATEST_MS = 2500;
/** The event that the page sends when its buttons answer. */
const READY_EVENT = 'shop:ready';

/**
 * In the head. `startShop(f)` calls f when the time has come. A press on a button is held back unless it works without
 * a script: in a form with an address that is only read. It is repeated when the page is ready, if the button is still
 * there and still says the same; if the scripts do not come, it is left to the browser. What was ticked or typed stays
 * and is told to the page, which has not heard of it: React takes note of what differs from what it knows, so its own
 * note (the property of the element itself, not of its kind) is changed first.
 */
const HEAD_SCRIPT = `(function(d,w){
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
setTimeout(begin,${AT_THE_LATEST_MS})
}
})(document,window)`.replaceAll('\n', '');

interface ModuleScript {
  readonly imports: readonly string[];
  /** The names by which the next line knows some of them. */
  readonly names: readonly string[];
  readonly assignment: string;
  readonly entry: string;
}

/** Takes React Router's module script apart; null where a line is none of those that it is known to be made of. */
function readModuleScript(text: string): ModuleScript | null {
  const imports: string[] = [];
  const names: string[] = [];
  let assignment: string | null = null;
  let entry: string | null = null;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const plain = IMPORT.exec(line)?.[1];
    const [, name, named] = NAMED_IMPORT.exec(line) ?? [];
    if (plain !== undefined) imports.unshift(plain);
    else if (name !== undefined && named !== undefined) {
      imports.push(named);
      names.push(name);
    } else if (MODULES.test(line)) assignment = line;
    else {
      entry = DYNAMIC_IMPORT.exec(line)?.[1] ?? null;
      if (entry === null) return null;
    }
  }
  if (assignment === null || entry === null || imports.length !== names.length + 1) return null;
  return { imports, names, assignment, entry };
}

export interface LateStart {
  /** A public page waits until it has been seen; any other starts as soon as it is there. */
  readonly isPublic: boolean;
  /** Bytes of a script by its address. */
  readonly sizeOf: (path: string) => number;
}

export function startLate(html: string, { isPublic, sizeOf }: LateStart): string {
  const found = MODULE_SCRIPT.exec(html);
  const script = found && readModuleScript(found[1] ?? '');
  if (!found || !script) return html;
  // The largest first: a browser opens six connections, and pictures may still have some of them.
  const preloads = [...html.matchAll(MODULE_PRELOAD)]
    .map(([, href = '']) => href)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const late =
    `startShop(function(){${JSON.stringify(preloads)}.forEach(function(h){var l=document.createElement('link');` +
    `l.rel='modulepreload';l.href=h;document.head.append(l)});` +
    `return Promise.all([${script.imports.map((path) => `import("${path}")`).join()}]).then(function(m){` +
    `var ${script.names.map((name, index) => `${name}=m[${index + 1}]`).join()};` +
    `${script.assignment}return import("${script.entry}")})}${isPublic ? '' : ',1'})`;
  return html
    .replaceAll(MODULE_PRELOAD, '')
    .replace(MODULE_SCRIPT, () => `<script>${late}</script>`)
    .replace(/<head>(?:<meta charSet="utf-8"\/>)?/, (start) => `${start}<script>${HEAD_SCRIPT}</script>`);
}
