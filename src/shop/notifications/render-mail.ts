/**
 * Renders a mail as plain text and HTML from one description, so that both have the same content.
 */

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Text to copy: monospaced, may break anywhere. */
  readonly isCode?: boolean;
}

export interface PricedLine {
  readonly name: string;
  /** Further details; empty for none. */
  readonly detail: string;
  readonly amount: string;
  /** Address of a JPEG. Omitted: none. */
  readonly pictureUrl?: string;
}

export type MailBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string; readonly isToPay?: boolean }
  | {
      readonly kind: 'document';
      readonly title: string;
      /** An empty heading is left out. Paragraphs can have several lines. */
      readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
    }
  | { readonly kind: 'lines'; readonly lines: readonly PricedLine[]; readonly totals: readonly PricedLine[] };

type MailLink = Extract<MailBlock, { kind: 'link' }>;
type MailDocument = Extract<MailBlock, { kind: 'document' }>;

export interface MailContents {
  readonly subject: string;
  readonly title: string;
  /** Shown after the subject in a mail list. */
  readonly preview: string;
  readonly blocks: readonly MailBlock[];
  /** Why the reader gets this mail. */
  readonly reason: string;
}

export interface MailFrame {
  /** Empty: not set. Also the address and the footer. */
  readonly shopName: string;
  readonly shopAddress: string;
  readonly shopUrl: string;
  /** Address of a square PNG that precedes the name; null for none. */
  readonly markUrl: string | null;
  /** Own lines of the shop below every mail. */
  readonly footer: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(contents: MailContents, frame: MailFrame): RenderedMail {
  return { subject: contents.subject, text: renderPlainText(contents, frame), html: renderHtml(contents, frame) };
}

// ---- plain text

/** Name and address of the shop, and the lines of its footer. */
const listOwnLines = ({ shopName, shopAddress, footer }: MailFrame): string[] => [
  ...[[shopName, shopAddress].filter((text) => text !== '').join(', ')].filter((text) => text !== ''),
  ...footer.split('\n').filter((text) => text.trim() !== ''),
];

function renderPlainText({ title, blocks, reason }: MailContents, frame: MailFrame): string {
  const foot = ['-- ', ...listOwnLines(frame), frame.shopUrl, reason].join('\n');
  return `${[title, ...blocks.map(renderPlainBlock), foot].join('\n\n')}\n`;
}

function renderPlainBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
    case 'link':
      return `${block.label}:\n${block.url}`;
    case 'lines':
      return [...block.lines, ...block.totals].map(renderPlainLine).join('\n');
    case 'document':
      return renderPlainDocument(block);
    default:
      return block satisfies never;
  }
}

const renderPlainLine = ({ name, detail, amount }: PricedLine): string =>
  `${detail === '' ? name : `${name} (${detail})`}: ${amount}`;

const renderPlainDocument = ({ title, sections }: MailDocument): string =>
  [
    `${title.toUpperCase()}\n${'='.repeat(title.length)}`,
    ...sections.flatMap(({ heading, paragraphs }) => [...(heading === '' ? [] : [heading]), ...paragraphs]),
  ].join('\n\n');

// ---- HTML, for mail programs: tables, styles on the elements, and a few classes for the dark

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '');

const SHORT_HYPHENATED = /^(?=.{3,20}$)[^\p{L}\p{N}]*[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+[^\p{L}\p{N}]*$/u;

/** Escapes a text whose order numbers and other short words do not break at their hyphen. */
const escapeProse = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((part) =>
      SHORT_HYPHENATED.test(part) ? `<span style="white-space:nowrap">${escape(part)}</span>` : escape(part),
    )
    .join('');

const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Inter,Roboto,'Helvetica Neue',Arial,sans-serif;" +
  'font-size:16px;line-height:24px;color:#1d1d1f';
const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:15px;word-break:break-all";
const MUTED = 'color:#65656b;font-size:14px;line-height:20px';
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
const HAIRLINE = 'border-top:1px solid #e2e2e7';

const DARK = `
    @media (prefers-color-scheme: dark) {
      .page { background: #111114 !important; }
      .card { background: #1b1b1f !important; }
      .ink { color: #f5f5f7 !important; }
      .muted { color: #a4a4ac !important; }
      .line { border-color: #313138 !important; }
      .soft { background: #2a2a30 !important; }
      .button { background: #f5f5f7 !important; }
      .button a { color: #111114 !important; }
    }
    @media (max-width: 480px) {
      .card { padding: 24px 20px !important; }
      .fact { display: block !important; width: auto !important; padding-left: 16px !important; padding-right: 16px !important; }
      .label { padding-bottom: 0 !important; border-top: 0 !important; }
      .value { padding-top: 2px !important; border-top: 0 !important; }
    }
  `;

function renderHtml(contents: MailContents, frame: MailFrame): string {
  const { shopUrl } = frame;
  const { subject, title, preview, blocks, reason } = contents;
  const button = blocks.find(({ kind }) => kind === 'link');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${escape(subject)}</title>
  <style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f5f5f7">
<div style="display:none;max-height:0;overflow:hidden">${escape(preview)}</div>
<table ${TABLE} class="page" style="background:#f5f5f7"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td class="ink" style="${FONT};padding:0 4px 16px;font-weight:600"><a class="ink" href="${escape(shopUrl)}" style="color:#1d1d1f;text-decoration:none">${renderMark(frame)}</a></td></tr>
<tr><td class="card ink" style="${FONT};padding:32px;background:#ffffff;border-radius:18px">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:600;letter-spacing:-0.02em;color:#1d1d1f">${escapeProse(title)}</h1>
${blocks.map((block) => renderHtmlBlock(block, block === button)).join('\n')}
</td></tr>
<tr><td class="muted" style="${FONT};${MUTED};padding:16px 4px 0">${[reason, ...listOwnLines(frame)].map(escape).join('<br>')}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function renderMark({ markUrl, shopName, shopUrl }: MailFrame): string {
  const mark =
    markUrl === null
      ? ''
      : `<img src="${escape(markUrl)}" width="28" height="28" alt="" style="border:0;border-radius:7px;vertical-align:middle;margin-right:10px">`;
  return `${mark}<span style="vertical-align:middle">${escape(shopName || shopUrl.replace(/^https?:\/\//, ''))}</span>`;
}

function renderHtmlDocument({ title, sections }: MailDocument): string {
  const parts = sections.flatMap(({ heading, paragraphs }) => [
    ...(heading === ''
      ? []
      : [
          `<h3 class="ink" style="margin:16px 0 4px;font-size:14px;line-height:20px;color:#1d1d1f">${escape(heading)}</h3>`,
        ]),
    ...paragraphs.map(
      (paragraph) =>
        `<p class="muted" style="margin:0 0 8px;${MUTED}">${paragraph.split('\n').map(escape).join('<br>')}</p>`,
    ),
  ]);
  return `<div class="line" style="margin:8px 0 0;padding:16px 0 8px;${HAIRLINE}"><h2 class="ink" style="margin:0 0 8px;font-size:17px;line-height:24px;font-weight:600;color:#1d1d1f">${escape(title)}</h2>${parts.join('')}</div>`;
}

/** @param isButton the first link of a mail, which is what the reader should do next */
function renderHtmlBlock(block: MailBlock, isButton: boolean): string {
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="margin:0 0 16px;color:#1d1d1f">${escapeProse(block.text)}</p>`;
    case 'facts':
      return `<table ${TABLE} class="soft" style="margin:0 0 24px;background:#f5f5f7;border-radius:12px">${block.facts.map(renderHtmlFact).join('')}</table>`;
    case 'link':
      return isButton ? renderHtmlButton(block) : renderHtmlLink(block);
    case 'lines':
      return renderHtmlLines(block);
    case 'document':
      return renderHtmlDocument(block);
    default:
      return block satisfies never;
  }
}

function renderHtmlFact({ label, value, isCode = false }: Fact, index: number): string {
  const line = index === 0 ? '' : `;${HAIRLINE}`;
  return (
    `<tr><td class="fact label line muted" valign="top" style="${FONT};${MUTED};width:30%;padding:12px 8px 12px 16px${line}">${escape(label)}</td>` +
    `<td class="fact value line ink" valign="top" style="${FONT};${isCode ? `${MONO};` : 'font-variant-numeric:tabular-nums;'}padding:12px 16px 12px 8px${line}">${isCode ? escape(value) : escapeProse(value)}</td></tr>`
  );
}

const renderAddress = (url: string): string =>
  `<p class="muted" style="margin:0 0 24px;${MUTED};word-break:break-all">${escape(url)}</p>`;

const renderHtmlLink = ({ label, url }: MailLink): string =>
  `<p class="ink" style="margin:0 0 4px;color:#1d1d1f"><a class="ink" href="${escape(url)}" style="color:#1d1d1f">${escape(label)}</a></p>\n${renderAddress(url)}`;

/** The pay button has the accent colour. The address follows as text for readers without links. */
function renderHtmlButton({ label, url, isToPay = false }: MailLink): string {
  const [name, surface, ink] = isToPay ? ['pay', '#f7931a', '#000000'] : ['button', '#1d1d1f', '#ffffff'];
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px"><tr>` +
    `<td class="${name}" style="background:${surface};border-radius:999px"><a href="${escape(url)}" style="display:inline-block;padding:12px 24px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Arial,sans-serif;font-size:16px;line-height:20px;font-weight:600;color:${ink};text-decoration:none">${escape(label)}</a></td></tr></table>\n` +
    renderAddress(url)
  );
}

function renderHtmlLines({ lines, totals }: Extract<MailBlock, { kind: 'lines' }>): string {
  const hasPictures = lines.some(({ pictureUrl }) => pictureUrl !== undefined);
  const rows = [
    ...lines.map((line) => renderHtmlLine(line, 'font-weight:400', hasPictures ? renderPicture(line) : '')),
    ...totals.map((line, index) =>
      // The last row is the total.
      renderHtmlLine(
        line,
        index === totals.length - 1 ? 'font-weight:600' : 'font-weight:400',
        '',
        hasPictures ? ' colspan="2"' : '',
      ),
    ),
  ];
  return `<table ${TABLE} style="margin:0 0 24px">${rows.join('')}</table>`;
}

/** The name of the product stands beside it. */
const renderPicture = ({ pictureUrl }: PricedLine): string =>
  `<td class="line" valign="top" width="56" style="padding:12px 14px 12px 0;${HAIRLINE}">${
    pictureUrl === undefined
      ? ''
      : `<img src="${escape(pictureUrl)}" width="56" height="56" alt="" style="display:block;border:0;border-radius:10px;background:#ffffff">`
  }</td>`;

function renderHtmlLine({ name, detail, amount }: PricedLine, weight: string, picture: string, span = ''): string {
  const about =
    detail === '' ? '' : `<br><span class="muted" style="${MUTED};font-weight:400">${escapeProse(detail)}</span>`;
  return (
    `<tr>${picture}<td${span} class="line ink" valign="top" style="${FONT};${weight};padding:12px 12px 12px 0;${HAIRLINE}">${escapeProse(name)}${about}</td>` +
    `<td class="line ink" valign="top" align="right" style="${FONT};${weight};padding:12px 0;${HAIRLINE};font-variant-numeric:tabular-nums">${escape(amount)}</td></tr>`
  );
}
