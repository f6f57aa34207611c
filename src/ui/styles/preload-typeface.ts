import typeface from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
import { preload } from 'react-dom';

/** Server only: preloads the letters that every page has. */
export const preloadTypeface = (): void =>
  preload(typeface, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
