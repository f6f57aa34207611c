import typeface from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';

/**
 * Server only: preloads the letters that every page has. A link, since `preload` of react-dom would write it before that of
 * the page's main picture: without HTTP/2, the first of them uses the connection of the page and the second waits for one.
 */
export const TypefacePreload = () => <link rel="preload" href={typeface} as="font" crossOrigin="" type="font/woff2" />;
