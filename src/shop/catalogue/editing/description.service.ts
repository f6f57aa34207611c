/** The description of an edited product: Markdown with its plain text, or plain text only. */
import { listElements } from '#src/platform/markdown/list-elements.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import { toPlainText } from '#src/platform/markdown/plain-text.ts';
import type { ProductContent } from './product-content.ts';

/** Without Markdown that of the product stays, unless its plain text changes. */
export interface RequestedContent extends Omit<ProductContent, 'description_markdown'> {
  readonly description_markdown?: string | null | undefined;
}

export interface DescribedContent {
  readonly content: ProductContent;
  /** The parsed Markdown; null without one. */
  readonly elements: readonly MarkdownToken[] | null;
}

/** Null without Markdown, and for a text with too many elements. */
export async function parseDescription(
  parser: TextParser,
  markdown: string | null,
): Promise<readonly MarkdownToken[] | null> {
  const document = markdown === null ? null : await parser.parse(markdown);
  return document && listElements(document);
}

/** @returns null for Markdown with too many elements */
export async function resolveDescription(
  parser: TextParser,
  requested: RequestedContent,
  before: ProductContent | null,
): Promise<DescribedContent | null> {
  const markdown = chooseMarkdown(requested, before);
  const elements = await parseDescription(parser, markdown);
  if (elements === null) {
    return markdown === null ? { content: { ...requested, description_markdown: null }, elements } : null;
  }
  // The plain text of unchanged Markdown stays, so that a later release changes none.
  const description = markdown === before?.description_markdown ? before.description : toPlainText(elements);
  return { content: { ...requested, description, description_markdown: markdown }, elements };
}

/** What was changed applies; new Markdown before new plain text. */
function chooseMarkdown(
  { description, description_markdown: markdown }: RequestedContent,
  before: ProductContent | null,
): string | null {
  const stored = before?.description_markdown ?? null;
  if (markdown !== undefined && markdown !== stored) return markdown;
  // An empty plain text beside the Markdown was left out.
  const isReplaced = description !== before?.description && (description !== '' || markdown === undefined);
  return isReplaced ? null : stored;
}
