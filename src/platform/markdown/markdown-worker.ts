/** Worker thread that parses Markdown, one text at a time. */
import { handleTasks } from '#src/platform/process/task-thread.ts';
import { isTooComplex } from './markdown-document.ts';
import { parseMarkdown } from './parse-markdown.ts';

handleTasks((source: string) => {
  const document = parseMarkdown(source);
  return isTooComplex(document) ? null : document;
});
