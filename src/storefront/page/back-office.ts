/** The route that contains all pages of the back office. */
export const BACK_OFFICE = 'admin/layout';

export const isOfBackOffice = (path: string): boolean => path === '/admin' || path.startsWith('/admin/');
