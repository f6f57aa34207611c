/** The main fonts of PDFs: Latin, Greek, Cyrillic and Devanagari. */
import { readFileSync } from 'node:fs';

export interface PdfFonts {
  readonly regular: Buffer;
  readonly strong: Buffer;
}

const read = (url: string): Buffer => readFileSync(new URL(url));

export const loadPdfFonts = (): PdfFonts => ({
  regular: read(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
  strong: read(import.meta.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf')),
});
