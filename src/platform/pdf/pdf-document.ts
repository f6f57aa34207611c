/** Content of a PDF: blocks from top to bottom of A4 pages. */

export interface PdfColumn {
  readonly title: string;
  /** Share of the width, relative to the other columns. */
  readonly width: number;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface PdfRow {
  /** One text per column. Lines after the first are printed smaller. */
  readonly cells: readonly string[];
  readonly isTotal?: boolean;
}

export type PdfBlock =
  | { readonly kind: 'title' | 'heading' | 'paragraph'; readonly text: string }
  | {
      readonly kind: 'columns';
      readonly columns: readonly { readonly title: string; readonly lines: readonly string[] }[];
    }
  | { readonly kind: 'table'; readonly columns: readonly PdfColumn[]; readonly rows: readonly PdfRow[] };

export interface PdfDocument {
  readonly title: string;
  readonly author: string;
  /** Language of the text, such as `en-US`. */
  readonly language: string;
  /** Country of the names (ISO 3166-1), which decides the shapes of Chinese characters. */
  readonly country?: string;
  /** Equal documents give equal bytes, so the date is that of the content. */
  readonly createdAt: Date;
  /** Left part of the last line of each page; the page number follows on the right. */
  readonly footer: string;
  readonly blocks: readonly PdfBlock[];
}
