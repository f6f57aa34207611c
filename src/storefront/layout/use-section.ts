import { useLocation } from 'react-router';

/** What tells which link around the page is the one to where it is: they all lead to the first part of a path. */
export const useSection = (): string => useLocation().pathname.split('/', 2).join('/').toLowerCase();
