import type { LoaderFunctionArgs } from 'react-router';
import { redirect } from 'react-router';

/** Permanent redirect from `/product/{slug}` to `/catalog/product/{slug}`. */
export function loader({ params, request }: LoaderFunctionArgs): Response {
  const { search } = new URL(request.url);
  return redirect(`/catalog/product/${encodeURIComponent(params.slug ?? '')}${search}`, 301);
}
