const FRAMED = /^\/admin\/products\/[^/]+\/preview$/;

/** Whether pages of the shop may show this page in a frame. Nothing else is shown in frames, by any site. */
export const isFramedPage = (path: string): boolean => FRAMED.test(path);
