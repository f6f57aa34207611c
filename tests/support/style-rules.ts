/** Reads the rules of style sheets, to find those that repeat others. */

export interface StyleRule {
  readonly path: string;
  /** From the outermost at-rule or rule to its own. */
  readonly selectors: readonly string[];
  /** Its own declarations, sorted. */
  readonly declarations: readonly string[];
}

/** @returns the rules of a style sheet with a declaration of their own. Steps of animations are left out. */
export function listStyleRules(path: string, text: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const open: { readonly selector: string; readonly declarations: string[] }[] = [];
  let written = '';
  const take = (): string => {
    const taken = written.trim().replaceAll(/\s+/g, ' ');
    written = '';
    return taken;
  };
  const tokens = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(/"[^"]*"|'[^']*'|[{};]|[^"'{};]+/g) ?? [];
  for (const token of tokens) {
    if (token === '{') open.push({ selector: take(), declarations: [] });
    else if (token === ';') {
      const declaration = take();
      if (!declaration.startsWith('@')) open.at(-1)?.declarations.push(declaration);
    } else if (token === '}') {
      const selectors = open.map(({ selector }) => selector);
      const { declarations = [] } = open.pop() ?? {};
      const isStep = selectors.some((selector) => selector.startsWith('@keyframes'));
      if (declarations.length > 0 && !isStep) rules.push({ path, selectors, declarations: declarations.toSorted() });
    } else written += token;
  }
  return rules;
}

/**
 * A rule of one declaration that changes an element in a state, at a width or inside another one. A name for
 * `display: none` would be longer than the rule.
 */
export const isAdjustment = ({ selectors, declarations }: StyleRule): boolean =>
  declarations.length === 1 && !/^\.\w+$/.test(selectors.filter((one) => !one.startsWith('@layer')).join(' '));

/** @returns for each rule with the declarations of an earlier one: the declarations, and where both are. */
export function findRepeatedBodies(rules: readonly StyleRule[]): string[] {
  const describe = ({ path, selectors }: StyleRule): string => `${path} ${selectors.slice(1).join(' ')}`;
  const first = new Map<string, StyleRule>();
  return rules.flatMap((rule) => {
    const body = rule.declarations.join('; ');
    const earlier = first.get(body);
    if (earlier === undefined) first.set(body, rule);
    return earlier === undefined ? [] : [`${body}: ${describe(earlier)}, ${describe(rule)}`];
  });
}
