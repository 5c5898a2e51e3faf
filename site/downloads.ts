/**
 * Shows downloads with their sizes; a failure stays visible until the next run. Returns a function
 * to call when a run begins or ends.
 */
import { element, show } from './dom.js';
import { channelOf, type DownloadEvent, inMegabytes } from './platform/assets.js';

export function showDownloads(box: HTMLElement, session: string): (isRunning: boolean) => void {
  const events = new Map<string, DownloadEvent>();
  const draw = (): void => {
    box.hidden = events.size === 0;
    show(
      box,
      ...[...events.values()].map(event =>
        event.state === 'failed'
          ? element(
              'p',
              { class: 'download-failed', role: 'alert' },
              `${event.message}. Run again to try once more.`,
            )
          : element(
              'div',
              { class: 'download-row' },
              element('span', {}, `Downloading ${event.title}`),
              element('progress', { max: event.totalBytes, value: event.bytes, 'aria-label': event.title }),
              element(
                'span',
                { class: 'number' },
                `${inMegabytes(event.bytes)} of ${inMegabytes(event.totalBytes)}`,
              ),
            ),
      ),
      [...events.values()].some(({ state }) => state !== 'failed') &&
        element(
          'p',
          { class: 'quiet' },
          'Downloaded once: it is cached for the next visit, which then works offline.',
        ),
    );
  };
  channelOf(session).onmessage = ({ data }: MessageEvent<DownloadEvent>) => {
    if (data.state === 'done') events.delete(data.name);
    else events.set(data.name, data);
    draw();
  };
  return isRunning => {
    // A terminated worker does not report the end of its downloads.
    for (const [name, { state }] of events) if (isRunning || state !== 'failed') events.delete(name);
    draw();
  };
}
