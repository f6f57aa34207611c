/** Finds the commands of a manual: indented blocks, and inline code that starts with a program. */

const PROGRAMS = `npm npx node git curl wget psql pg_dump pg_restore pg_basebackup bitcoin-cli bitcoind
  systemctl systemd-analyze journalctl docker podman caddy nginx certbot openssl rsync aws cp mv cd kill chmod chown
  install useradd usermod adduser sudo su runuser ulimit crontab cat tail grep jq apt-get ssh scp`.split(/\s+/);
/** A command line: settings, then a program or a path of one; or a line of a crontab. */
const COMMAND = new RegExp(
  String.raw`^(?:(?:[A-Z][A-Z_]+=\S* )*(?:${PROGRAMS.join('|')}|[\w./-]+/[\w-]+\.(?:py|sh))(?: |$)|(?:[\d*]+ ){5}\S)`,
);

/**
 * Every command once, on one line. Of an indented block that starts with a command each line, of another one, such as
 * settings, the whole text.
 * @param markdown text without fenced blocks
 */
export function listCommands(markdown: string): string[] {
  const blocks: string[] = [];
  let prose = '';
  let block: string[] = [];
  const endBlock = (): void => {
    const first = block[0] ?? '';
    const indent = first.length - first.trimStart().length;
    const lines = block.map((line) => line.slice(indent)).filter((line) => line !== '');
    if (COMMAND.test(lines[0] ?? '')) blocks.push(...lines);
    else if (lines.length > 0) blocks.push(lines.join('\n'));
    block = [];
  };
  for (const line of markdown.split('\n')) {
    if (/^(?: {4}|\t)/.test(line)) block.push(line);
    else {
      endBlock();
      prose += `${line}\n`;
    }
  }
  endBlock();
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' ').trim());
  return [...new Set([...blocks, ...inline.filter((code) => COMMAND.test(code))])];
}
