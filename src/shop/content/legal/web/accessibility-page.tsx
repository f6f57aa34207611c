import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { describeLegalText, LegalText, loadLegalText } from './legal-text.tsx';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => describeLegalText(loaderData, matches);

export const loader = (args: LoaderFunctionArgs) => loadLegalText(args, 'accessibility');

export default function AccessibilityPage() {
  return <LegalText {...useLoaderData<typeof loader>()} />;
}
