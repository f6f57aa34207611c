/** Finds form controls that lose typed text, or that browsers cannot fill in. */
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';

/** Values of `autocomplete` of the HTML standard that the shop may use. */
const TOKENS = new Set([
  'off',
  'name',
  'given-name',
  'family-name',
  'username',
  'new-password',
  'current-password',
  'one-time-code',
  'organization',
  'street-address',
  'address-line1',
  'address-line2',
  'address-line3',
  'address-level1',
  'address-level2',
  'country',
  'country-name',
  'postal-code',
  'email',
  'tel',
  'url',
]);

const readAttribute = (node: ESTree.JSXElement, name: string): ESTree.JSXAttribute | undefined =>
  node.openingElement.attributes.find(
    (one): one is ESTree.JSXAttribute => one.type === 'JSXAttribute' && one.name.name === name,
  );

/** Lines where a control drops text that is too long, and where `autoComplete` is no name of the standard. */
export function findFormFaults(file: string, source: string): string[] {
  const faults: string[] = [];
  new Visitor({
    JSXElement(node) {
      const { name } = node.openingElement;
      const line = `${file}:${source.slice(0, node.start).split('\n').length}`;
      const isControl = name.type === 'JSXIdentifier' && /^(?:input|textarea)$/.test(name.name);
      if (isControl && readAttribute(node, 'maxLength')) faults.push(`${line} maxLength drops typed text`);
      const value = readAttribute(node, 'autoComplete')?.value;
      if (value?.type === 'Literal' && typeof value.value === 'string' && !TOKENS.has(value.value)) {
        faults.push(`${line} autoComplete="${value.value}" is not in the standard`);
      }
    },
  }).visit(parseSync(file, source).program);
  return faults;
}
