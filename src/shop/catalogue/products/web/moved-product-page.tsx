import type { LoaderFunctionArgs } from 'react-router';
import { redirect } from 'react-router';

/** `/product/{slug}` has moved for good to `/catalog/product/{slug}`. */
export function loader({ params, request }: LoaderFunctionArgs): Response {
  const { search } = new URL(request.url);
  return redirect(`/catalog/product/${encodeURIComponent(params.slug ?? '')}${search}`, 301);
}
