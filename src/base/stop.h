#pragma once

namespace nmt {

// Asks politely on SIGINT and SIGTERM: the first signal only sets a flag that long loops look at between steps; another
// one ends the process at once with exit code 130. Within half a second of the first it doesn't: `timeout` and some
// shells signal the process and then its group, so that one request arrives twice.
void install_stop_handler();

// Gives the signals their usual meaning again, for work that doesn't look at the flag. Throws InterruptedError where a
// signal has come already.
void remove_stop_handler();

// True once a signal has arrived (or request_stop was called).
bool stop_requested();

void request_stop();        // what the handler does; tests call it
void clear_stop_request();  // for tests

}  // namespace nmt
