import typeface from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';

/**
 * Server only: preloads the letters that every page has. A link, since `preload` of react-dom would write it before that of
 * the page's main picture, which is to be requested first.
 */
export const TypefacePreload = () => <link rel="preload" href={typeface} as="font" crossOrigin="" type="font/woff2" />;
