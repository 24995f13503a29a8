"""Runs calls of the AWS command line in copies of a process that has loaded it.

    aws.py serve SOCKET       loads it, prints which Python it is, and answers calls
    aws.py call SOCKET ARG    has a call made: here, with this environment and these files
"""
import json
import os
import signal
import socket
import sys
import traceback


def serve(path):
    import awscli.clidriver

    awscli.clidriver.create_clidriver()  # which imports what the commands need
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    print(sys.executable, flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            run(connection, awscli.clidriver.main)
        connection.close()


def run(connection, main):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, files, _, _ = socket.recv_fds(connection, 1 << 17, 3)
    for at, file in enumerate(files):
        os.dup2(file, at)
        os.close(file)
    call = json.loads(text)
    sys.argv = ["aws"] + call["args"]
    os.environ.update(call["environment"])  # beside what the program has set for itself
    os.chdir(call["directory"])
    code = 255
    try:
        code = main()
    except SystemExit as end:
        code = end.code
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        connection.send(bytes([code]))
        os._exit(code)


def call(path, args):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(path)
    text = json.dumps({"args": args, "environment": dict(os.environ), "directory": os.getcwd()})
    socket.send_fds(connection, [text.encode()], [0, 1, 2])
    return connection.recv(1)[0]


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    sys.exit(call(sys.argv[2], sys.argv[3:]))
