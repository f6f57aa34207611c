/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page must be self-contained */
/** Walks through a page with the Tab key. */
import type { CDPSession, Page } from '@playwright/test';

export interface Walk {
  /** Names of focused elements, in order. */
  readonly names: readonly string[];
  readonly faults: readonly string[];
}

declare global {
  /** State in the page between two key presses. */
  interface Window {
    /** Elements that Tab must reach, in order. */
    tabStops?: HTMLElement[];
    /** Index of the last focused element in `tabStops`. */
    tabLast?: number;
    /** The last focused element with its style before focus. */
    tabBefore?: { readonly element: HTMLElement; readonly name: string; readonly look: string } | null;
    /** Stops since they were read. Null: the focus stayed in the same field. */
    tabPassed?: (Stop | null)[];
    tabWalk?: AbortController;
  }
}

/** Day, month, year, hour, minute, half of the day and the calendar, and one in reserve. */
const MAX_PARTS = 8;

interface Stop {
  /** Null when the focus left the page. */
  readonly name: string | null;
  readonly faults: readonly string[];
}

/** Runs in the page: lists the elements that Tab must reach, in document order. */
function prepare(): number {
  const selector = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex]';
  const canTake = (element: HTMLElement): boolean => {
    if (element.tabIndex < 0 || element.closest('[inert]')) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    // Only the checked radio button of a group is focusable.
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return true;
    const group = document.querySelectorAll<HTMLInputElement>(
      `input[type="radio"][name="${CSS.escape(element.name)}"]`,
    );
    return ![...group].some(({ checked, form }) => checked && form === element.form);
  };
  const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter(canTake);
  Object.assign(window, { tabStops: stops, tabLast: -1, tabBefore: null } satisfies Partial<Window>);
  // The next Tab starts at the top of the page.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.blur();
  document.body.removeAttribute('tabindex');
  window.scrollTo({ top: 0, behavior: 'instant' });
  return stops.length;
}

/**
 * Runs in the page: whether Tab moved within the same field. A date has several parts.
 */
function isInsideDate(): boolean {
  const { element } = window.tabBefore ?? {};
  const hasParts = element instanceof HTMLInputElement && ['date', 'datetime-local'].includes(element.type);
  return hasParts && document.activeElement === element;
}

/**
 * Runs in the page after each Tab: returns the focused element, whether it is visible, and
 * whether its appearance changed.
 */
function look(): Stop {
  const { tabStops: stops = [], tabLast: last = -1, tabBefore: before } = window;
  const getName = (element: HTMLElement): string => {
    const text = element.getAttribute('aria-label') ?? (element.textContent || element.getAttribute('name') || '');
    return `${element.tagName.toLowerCase()} "${text.trim().slice(0, 40)}"`;
  };
  const readStyle = (element: HTMLElement): string => {
    const parts: string[] = [];
    // A card shows the focus of its link, a label the focus of its checkbox.
    const around: Element[] = [element, ...(element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [])];
    for (let one = element.parentElement, up = 0; one && up < 3; one = one.parentElement, up += 1) around.push(one);
    if (element.nextElementSibling) around.push(element.nextElementSibling);
    for (const one of around) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
        getComputedStyle(one);
      const outline = outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
      parts.push([outline, boxShadow, borderColor, backgroundColor].join(', '));
    }
    return parts.join(' | ');
  };
  const findCover = (element: HTMLElement): string | null => {
    const box = element.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth)
      return 'is outside the window';
    // The rail of the back office is beside the page.
    const bars = 'body > header, body > nav, div:has(> #main) > :is(header, nav:last-of-type)';
    for (const bar of document.querySelectorAll<HTMLElement>(bars)) {
      if (bar.contains(element) || !['fixed', 'sticky'].includes(getComputedStyle(bar).position)) continue;
      const { top, bottom, height } = bar.getBoundingClientRect();
      const onTop = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (height === 0 || (onTop && element.contains(onTop) && getComputedStyle(element).position === 'fixed'))
        continue;
      const hidden = Math.min(box.bottom, bottom) - Math.max(box.top, top);
      // A multi-line text field is scrolled to its cursor, here at the beginning.
      const most = element instanceof HTMLTextAreaElement ? box.height / 2 : 1;
      if (hidden > most && box.height < innerHeight / 2)
        return `is covered by ${bar.tagName} for ${Math.round(hidden)} px`;
    }
    return null;
  };

  const faults: string[] = [];
  if (before && document.contains(before.element) && readStyle(before.element) === before.look) {
    faults.push(`${before.name} looks the same with and without the focus`);
  }
  const found = document.activeElement;
  const element = found instanceof HTMLElement && found !== document.body ? found : null;
  // Elements disabled in the meantime, such as an arrow at the end of its row, are skipped.
  let expected = last + 1;
  while (stops[expected] && stops[expected] !== element) {
    const skipped = stops[expected];
    if (!skipped || (!skipped.matches(':disabled') && document.contains(skipped))) break;
    expected += 1;
  }
  if ((stops[expected] ?? null) !== element) {
    const missed = stops[expected];
    faults.push(`${element ? getName(element) : 'the end'} comes instead of ${missed ? getName(missed) : 'the end'}`);
  }
  if (!element) {
    window.tabBefore = null;
    return { name: null, faults };
  }
  const at = stops.indexOf(element);
  if (at !== -1) window.tabLast = at;
  const name = getName(element);
  const covered = findCover(element);
  if (covered !== null) faults.push(`${name} ${covered}`);
  window.tabBefore = { element, name, look: readStyle(element) };
  return { name, faults };
}

/** Runs in the page: the stop after each Tab, as the key is released. Null within the same field. */
const RECORD_STOPS = `window.tabWalk?.abort();
window.tabWalk = new AbortController();
window.tabPassed = [];
addEventListener('keyup', ({ key }) => {
  if (key === 'Tab') window.tabPassed.push((${isInsideDate.toString()})() ? null : (${look.toString()})());
}, { capture: true, signal: window.tabWalk.signal })`;

const TAB = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

/** Presses Tab so often, one press after the other. Playwright waits for a frame after each, which takes most of the time. */
async function pressTab(session: CDPSession, times: number): Promise<void> {
  const events = Array.from({ length: times }, () => ['rawKeyDown', 'keyUp'] as const).flat();
  await Promise.all(events.map((type) => session.send('Input.dispatchKeyEvent', { ...TAB, type })));
}

/** Presses Tab from the top of the page until the focus leaves it. */
export async function walkByTab(page: Page): Promise<Walk> {
  const session = await page.context().newCDPSession(page);
  try {
    return await walk(page, session);
  } finally {
    await session.detach();
  }
}

async function walk(page: Page, session: CDPSession): Promise<Walk> {
  const stops = await page.evaluate(prepare);
  await page.evaluate(RECORD_STOPS);
  const names: string[] = [];
  const faults: string[] = [];
  // The stops are read together: reading each would take longer than pressing.
  for (let presses = stops + 1, inside = 0; presses > 0;) {
    await pressTab(session, presses);
    const passed = await page.evaluate(() => window.tabPassed?.splice(0) ?? []);
    if (passed.length === 0)
      return { names, faults: [...faults, `the page receives no Tab after ${names.at(-1) ?? 'the start'}`] };
    for (const stop of passed) {
      inside = stop === null ? inside + 1 : 0;
      if (inside > MAX_PARTS) return { names, faults: [...faults, `the focus stays in ${names.at(-1)}`] };
      if (stop === null) continue;
      presses -= 1;
      faults.push(...stop.faults);
      if (stop.name === null) return { names, faults };
      names.push(stop.name);
    }
  }
  return { names, faults: [...faults, 'the focus never leaves the page'] };
}
