#!/usr/bin/env node
import { start } from '../dist/bundle/redzone-cc.js';

await start();
