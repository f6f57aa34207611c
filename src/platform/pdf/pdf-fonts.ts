/** Fonts that PDFs embed: Latin, Greek, Cyrillic and Devanagari. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const resolve = createRequire(import.meta.url).resolve;
const FONTS = '@expo-google-fonts/noto-sans';

export interface PdfFonts {
  readonly regular: Buffer;
  readonly strong: Buffer;
}

export const loadPdfFonts = (): PdfFonts => ({
  regular: readFileSync(resolve(`${FONTS}/400Regular/NotoSans_400Regular.ttf`)),
  strong: readFileSync(resolve(`${FONTS}/600SemiBold/NotoSans_600SemiBold.ttf`)),
});
