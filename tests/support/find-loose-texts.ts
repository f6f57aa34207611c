/** Finds JSX that breaks when the browser translates the page, which replaces text nodes by elements. */
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';

type Child = ESTree.JSXElement['children'][number];
type Expression = Exclude<ESTree.JSXExpressionContainer['expression'], ESTree.JSXEmptyExpression>;
/** What a child renders: `loose` is text, or a fragment with text, that comes and goes. */
type Content = 'text' | 'element' | 'optional element' | 'loose' | 'nothing' | 'unknown';

const isText = (text: string): boolean => text.trim() !== '';

function getBranchContent(branches: readonly Content[]): Content {
  const isWhole = branches.every((one) => one === 'text' || one === 'unknown');
  if (branches.some((one) => one === 'text' || one === 'loose')) return isWhole ? 'text' : 'loose';
  return branches.includes('element') || branches.includes('optional element') ? 'optional element' : 'unknown';
}

function getContent(expression: Expression): Content {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' && isText(expression.value) ? 'text' : 'nothing';
    case 'TemplateLiteral':
      return 'text';
    case 'JSXElement':
      return 'element';
    case 'JSXFragment':
      return expression.children.some((child) => getChildContent(child) === 'text') ? 'text' : 'element';
    case 'ParenthesizedExpression':
      return getContent(expression.expression);
    case 'LogicalExpression':
      return expression.operator === '&&' ? getBranchContent(['nothing', getContent(expression.right)]) : 'unknown';
    case 'ConditionalExpression':
      return getBranchContent([getContent(expression.consequent), getContent(expression.alternate)]);
    case 'CallExpression': {
      const { callee } = expression;
      const name = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name;
      return name === 'map' ? 'optional element' : 'unknown';
    }
    default:
      return 'unknown';
  }
}

function getChildContent(child: Child): Content {
  if (child.type === 'JSXText') return isText(child.value) ? 'text' : 'nothing';
  if (child.type === 'JSXElement' || child.type === 'JSXFragment') return getContent(child);
  return child.type === 'JSXExpressionContainer' && child.expression.type !== 'JSXEmptyExpression'
    ? getContent(child.expression)
    : 'nothing';
}

function hasFault({ children }: ESTree.JSXElement | ESTree.JSXFragment): boolean {
  const contents = children.map((child) => getChildContent(child)).filter((content) => content !== 'nothing');
  if (contents.length < 2) return false;
  const first = contents.indexOf('optional element');
  return contents.includes('loose') || (first >= 0 && contents.includes('text', first));
}

const isOptionWithoutValue = ({ openingElement: { name, attributes } }: ESTree.JSXElement): boolean =>
  name.type === 'JSXIdentifier' &&
  name.name === 'option' &&
  !attributes.some((one) => one.type === 'JSXAttribute' && one.name.name === 'value');

/**
 * Lines where text beside other content comes and goes without an element of its own, where text follows an element
 * that comes and goes (React inserts such an element before the text), or where an option has no value.
 */
export function findLooseTexts(file: string, source: string): string[] {
  const faults: string[] = [];
  const report = (start: number, fault: string): void => {
    faults.push(`${file}:${source.slice(0, start).split('\n').length} ${fault}`);
  };
  const check = (node: ESTree.JSXElement | ESTree.JSXFragment): void => {
    if (hasFault(node)) report(node.start, 'give text beside conditional content an element of its own');
  };
  new Visitor({
    JSXElement(node) {
      check(node);
      if (isOptionWithoutValue(node)) report(node.start, 'give the option a value');
    },
    JSXFragment: check,
  }).visit(parseSync(file, source).program);
  return faults;
}
