import { useLocation } from 'react-router';

/** The first segment of the path, which decides the current link in the header and the bottom bar. */
export const useSection = (): string => useLocation().pathname.split('/', 2).join('/').toLowerCase();
