/**
 * Defers hydration and keeps what the visitor does before. The build inlines this module as the first script of the head
 * (scripts/build/inline-scripts.ts), so its imports must be small.
 */
/** Delay after the load event, so the first paint is done. */
const AFTER_LOAD_MS = 200;
/** Starts anyway, for example if a picture does not load. */
const MAX_DELAY_MS = 2500;
/** Presses are handled by the browser if the page is not hydrated by then. */
const GIVE_UP_MS = 8000;
const MAX_HELD = 32;
/** Sent by the page when it is hydrated. */
const READY_EVENT = 'shop:ready';

const CAPTURE = { capture: true };

type Pressed = HTMLButtonElement | HTMLInputElement;
type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Calls `load` when hydration should start. */
export type StartShop = (load: () => Promise<unknown>, isImmediate?: boolean) => void;

const isButton = (control: Pressed | Typed): control is HTMLButtonElement => control.tagName === 'BUTTON';
const isTicked = (control: Pressed | Typed): control is HTMLInputElement => /^(?:radio|checkbox)$/.test(control.type);
const readLabel = (control: Pressed): string | null => control.getAttribute('aria-label') ?? control.textContent;
const isElement = (target: EventTarget | null): target is Element => target !== null && 'closest' in target;
const isTyped = (target: EventTarget | null): target is Typed => target !== null && 'value' in target;

/** Works without scripts, and needs no replay: a button that submits a search form. */
const isSearch = ({ type, form }: HTMLButtonElement): boolean =>
  type === 'submit' && form !== null && form.method === 'get' && form.hasAttribute('action');

/** Repeats typed text. React compares it with the value that it tracks on the element, so that is reset first. */
function typeAgain(control: Typed, value: string): void {
  const isSelect = control.tagName === 'SELECT';
  if (!isSelect) control.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event(isSelect ? 'change' : 'input', { bubbles: true }));
}

/**
 * Records presses and input until the page is hydrated, and replays them once: a press if the button still has the same
 * label. If the scripts fail to load, the browser handles presses.
 */
export function recordPresses(view: EventTarget, page: EventTarget): StartShop {
  /** What to do after hydration, by control. */
  const held = new Map<Pressed | Typed, (isReady: boolean) => void>();
  let load: (() => Promise<unknown>) | null = null;
  let isDue = false;
  let isOver = false;

  const begin = (): void => {
    isDue = true;
    const loading = load;
    load = null;
    loading?.().then(
      () => setTimeout(() => replay(false), GIVE_UP_MS),
      () => replay(false),
    );
  };
  const hold = (control: Pressed | Typed, repeat: (isReady: boolean) => void): void => {
    if (held.size < MAX_HELD || held.has(control)) held.set(control, repeat);
  };
  const press = (event: Event): void => {
    const control = isElement(event.target) ? event.target.closest<Pressed>('button,input') : null;
    if (control === null || control.disabled) return;
    begin();
    if (isButton(control)) {
      if (isSearch(control)) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      control.dataset.held = '';
      const label = readLabel(control);
      hold(control, () => {
        if (!control.disabled && readLabel(control) === label) control.click();
      });
    } else if (isTicked(control)) {
      event.stopImmediatePropagation();
      const { checked } = control;
      hold(control, (isReady) => {
        if (!isReady) return;
        control.checked = !checked;
        control.click();
      });
    }
  };
  const type = ({ target }: Event): void => {
    if (!isTyped(target) || isTicked(target)) return;
    const { value } = target;
    hold(target, (isReady) => {
      if (isReady) typeAgain(target, value);
    });
  };
  const replay = (isReady: boolean): void => {
    if (isOver) return;
    isOver = true;
    view.removeEventListener('click', press, CAPTURE);
    view.removeEventListener('input', type, CAPTURE);
    const waiting = [...held];
    // One at a time, since each may change the page.
    const next = (): void => {
      const [control, repeat] = waiting.shift() ?? [];
      if (control === undefined || repeat === undefined) return;
      delete control.dataset.held;
      setTimeout(next);
      if (control.isConnected) repeat(isReady);
    };
    next();
  };

  view.addEventListener('click', press, CAPTURE);
  view.addEventListener('input', type, CAPTURE);
  page.addEventListener(READY_EVENT, () => replay(true));
  for (const name of ['pointerdown', 'keydown', 'focusin'])
    view.addEventListener(name, begin, { capture: true, once: true, passive: true });
  return (loading, isImmediate = false) => {
    load = loading;
    if (isDue || isImmediate) {
      begin();
      return;
    }
    view.addEventListener('load', () => void setTimeout(begin, AFTER_LOAD_MS));
    setTimeout(begin, MAX_DELAY_MS);
  };
}

/** Called by the inlined script. The last script of the page calls `startShop`. */
export function run(): void {
  Object.assign(window, { startShop: recordPresses(window, document) });
}
