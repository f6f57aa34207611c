/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page must be self-contained */
/** Measurements inside a page. Each function runs there, so it must be self-contained. */

/** Elements that overflow the window horizontally, with the overflow in px. */
export function findOverflow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const canScroll = (element: Element): boolean => {
    for (
      let ancestor = element.parentElement;
      ancestor && ancestor !== document.body;
      ancestor = ancestor.parentElement
    ) {
      if (getComputedStyle(ancestor).overflowX !== 'visible') return true;
    }
    return false;
  };
  const wide = [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !canScroll(element))
    .map((element) => `${element.tagName}.${element.getAttribute('class') ?? ''}`);
  return [`${scrollWidth - clientWidth} px too wide: ${wide.slice(0, 5).join(', ')}`];
}

/**
 * Texts that do not fit: cut off by an ancestor, or overlapping another text. Excluded: intended
 * ellipses, scrollable texts, and fixed elements.
 */
export function findTextProblems(): string[] {
  interface Shown {
    readonly node: Node;
    readonly rect: DOMRect;
  }
  const faults = new Set<string>();
  const formatQuote = (node: Node): string => `"${(node.textContent ?? '').trim().slice(0, 30)}"`;
  const isFixed = (element: Element): boolean => {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(ancestor).position)) return true;
    }
    return false;
  };
  /** Visible part of the text; null for none. */
  const computeSeen = (node: Node, parent: Element, whole: DOMRect): DOMRect | null => {
    let { left, right, top, bottom } = whole;
    for (
      let ancestor: Element | null = parent;
      ancestor && ancestor !== document.body;
      ancestor = ancestor.parentElement
    ) {
      const style = getComputedStyle(ancestor);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const box = ancestor.getBoundingClientRect();
      // Visually hidden.
      if (box.width <= 1) return null;
      const isCut = left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
      const isMeant = style.webkitLineClamp !== 'none' || style.textOverflow === 'ellipsis';
      const canScroll = style.overflowX === 'auto' || style.overflowX === 'scroll' || style.overflowY === 'auto';
      if (isCut && !isMeant && !canScroll)
        faults.add(`${formatQuote(node)} is cut off by ${ancestor.tagName}.${ancestor.className}`);
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
  };

  const shown: Shown[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || (node.textContent ?? '').trim() === '') continue;
    if (parent.closest('.visually-hidden, script, option, [aria-hidden="true"]')) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isFixed(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      // A line box is taller than its letters.
      const inset = line.height * 0.25;
      const rect = computeSeen(
        node,
        parent,
        new DOMRect(line.x + 1, line.y + inset, line.width - 2, line.height - 2 * inset),
      );
      if (rect) shown.push({ node, rect });
    }
  }
  // In the order of their tops, a text can lie only on those before the first that begins below it.
  const byTop = shown.toSorted((a, b) => a.rect.top - b.rect.top);
  for (const [index, a] of byTop.entries()) {
    for (let next = index + 1; next < byTop.length; next += 1) {
      const b = byTop[next];
      if (!b || b.rect.top >= a.rect.bottom) break;
      const width = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
      const height = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
      if (a.node !== b.node && width > 1 && height > 1)
        faults.add(`${formatQuote(a.node)} lies on ${formatQuote(b.node)}`);
    }
  }
  return [...faults];
}

/**
 * Targets smaller than 44 px in width or height, measured by hit testing. Links within a text may
 * be as tall as its lines.
 */
export function findSmallTargets(): string[] {
  const LEAST = 44;
  const selector =
    'a[href], button, input, select, textarea, summary, [role="button"], [role="slider"], [tabindex="0"]';
  const isInText = (element: Element): boolean => {
    if (getComputedStyle(element).display !== 'inline' || !element.parentElement) return false;
    // Text that comes and goes has an element of its own.
    const isText = (node: Node): boolean =>
      node.nodeType === Node.TEXT_NODE ||
      (node instanceof HTMLSpanElement &&
        getComputedStyle(node).display === 'inline' &&
        !node.querySelector('a, button'));
    return [...element.parentElement.childNodes].some(
      (node) => node !== element && isText(node) && (node.textContent ?? '').trim().length > 1,
    );
  };
  const small: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    const isSkipLink = element.getAttribute('href') === '#main';
    if (isSkipLink || isInText(element) || element.closest('[inert]') || element.tabIndex < 0) continue;
    if (!element.checkVisibility({ opacityProperty: false, visibilityProperty: true })) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    // The field of a slider is clipped: its visible thumb, which is around it, is pressed.
    const thumbs =
      element instanceof HTMLInputElement && element.type === 'range' && element.parentElement
        ? [element.parentElement]
        : [];
    const own = [element, ...labels, ...thumbs];
    const isHit = (x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && own.some((one) => one === hit || one.contains(hit));
    };
    const boxes = own.map((one) => one.getBoundingClientRect()).filter((box) => box.width > 1 && box.height > 1);
    /** Pixels that are hit from the middle on in one direction, at most `LEAST`. A target has no holes but in its middle. */
    const measureReach = (x: number, y: number, stepX: number, stepY: number): number => {
      const isHitAt = (pixels: number): boolean => isHit(x + (pixels - 0.5) * stepX, y + (pixels - 0.5) * stepY);
      if (!isHitAt(1)) return 0;
      let [hit, missed] = [1, LEAST + 1];
      while (missed - hit > 1) {
        const next = Math.floor((hit + missed) / 2);
        if (isHitAt(next)) hit = next;
        else missed = next;
      }
      return hit;
    };
    const run = (x: number, y: number, stepX: number, stepY: number): number =>
      Math.min(LEAST, measureReach(x, y, stepX, stepY) + measureReach(x, y, -stepX, -stepY));
    const reach = boxes.map((box) => {
      const x = box.x + box.width / 2;
      const y = box.y + box.height / 2;
      return { width: run(x, y, 1, 0), height: run(x, y, 0, 1) };
    });
    if (!reach.some(({ width, height }) => width >= LEAST && height >= LEAST)) {
      const name = element.getAttribute('aria-label') ?? (element.textContent || element.getAttribute('name') || '');
      const sizes = reach.map(({ width, height }) => `${width}x${height}`).join(' or ');
      small.push(`${element.tagName}.${element.className} "${name.slice(0, 40)}": ${sizes || 'nothing to hit'}`);
    }
  }
  window.scrollTo({ top: 0, behavior: 'instant' });
  return small;
}

/**
 * Structure for screen readers: language, one h1, headings without gaps, landmarks, alternative
 * texts.
 */
export function findStructureProblems(): string[] {
  const faults: string[] = [];
  if (document.documentElement.lang !== 'en') faults.push('the language is not said');
  const headings = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')].filter((heading) =>
    heading.checkVisibility(),
  );
  let last = 0;
  for (const heading of headings) {
    const level = Number(heading.tagName.slice(1));
    if (level > last + 1) faults.push(`h${last} is followed by ${heading.outerHTML.slice(0, 80)}`);
    if ((heading.textContent ?? '').trim() === '') faults.push(`an empty ${heading.tagName}`);
    last = level;
  }
  const firsts = headings.filter(({ tagName }) => tagName === 'H1').length;
  if (firsts !== 1) faults.push(`${firsts} h1`);
  const isBackOffice = document.querySelector('div > #main') !== null;
  const landmarks = isBackOffice
    ? ['div > header', 'nav[aria-label]', 'div > main']
    : ['body > header', 'nav[aria-label]', 'body > main', 'body > footer'];
  for (const landmark of landmarks) {
    if (!document.querySelector(landmark)) faults.push(`no ${landmark}`);
  }
  if (document.querySelectorAll('main').length !== 1) faults.push('more than one main');
  for (const picture of document.querySelectorAll('img:not([alt])')) faults.push(picture.outerHTML.slice(0, 80));
  return faults;
}

/** Animations and transitions that are long or endless. Scroll-driven ones do not count. */
export function findLongAnimations(): string[] {
  return document
    .getAnimations()
    .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
    .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) > 100)
    .map(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target?.outerHTML ?? '') : '').slice(0, 100));
}

/**
 * Words that end on another line than they begin: short ones with a hyphen, order numbers included, and those of
 * headings.
 */
export function findBrokenWords(): string[] {
  const [longest, longestOfHeading] = [20, 16];
  const faults = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest('.visually-hidden, script, style, option, textarea, code, pre')) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const text = node.textContent ?? '';
    const isHeading = parent.closest('h1, h2, h3') !== null;
    for (const { 0: word, index } of text.matchAll(/\S+/g)) {
      const isHyphenated = /^[^\p{L}\p{N}]*[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+[^\p{L}\p{N}]*$/u.test(word);
      // Codes such as CM-IPA-01-1 may break.
      const isCode = /^[A-Z\d]+(?:-[A-Z\d]+){2,}[^\p{L}\p{N}]*$/u.test(word);
      const isShort = word.length <= (isHyphenated ? longest : longestOfHeading);
      if (!isShort || isCode || !(isHyphenated || isHeading)) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.add(`"${word}" is broken in "${text.trim().slice(0, 60)}"`);
    }
  }
  return [...faults];
}

/** Sets the text spacing of WCAG 1.4.12. */
export function setTextSpacing(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; } p { margin-bottom: 2em !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}
