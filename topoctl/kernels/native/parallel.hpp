// Work on all cores with the interpreter released, and Ctrl-C still heard.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace topoctl {

// Runs task(worker, item, stop) for every item in 0..count-1, taken from one queue by `threads` threads.
// Call it with the GIL held: it is released inside, and taken again every 50 ms to look for signals.
// On a signal `stop` becomes true, tasks are expected to return soon, and the Python error is raised.
// An exception in a task stops the rest and is raised again here.
template <class Task>
void parallel_for(std::size_t count, std::size_t threads, Task&& task) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable finished;
    if (threads > count) threads = count;
    std::size_t running = threads;

    auto work = [&](std::size_t worker) {
        try {
            for (std::size_t item; !stop && (item = next++) < count;) task(worker, item, stop);
        } catch (...) {
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            stop = true;
        }
        std::lock_guard lock(mutex);
        if (--running == 0) finished.notify_one();
    };

    bool interrupted = false;
    {
        nanobind::gil_scoped_release released;
        std::vector<std::thread> pool;
        try {
            for (std::size_t worker = 0; worker < threads; ++worker) pool.emplace_back(work, worker);
        } catch (...) {  // no more threads to be had: those that run share the queue, or nobody does
            std::lock_guard lock(mutex);
            running -= threads - pool.size();
            if (pool.empty()) failure = std::current_exception();
        }
        std::unique_lock lock(mutex);
        while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
            if (stop) continue;
            lock.unlock();
            {
                nanobind::gil_scoped_acquire acquired;
                interrupted = PyErr_CheckSignals() != 0;
            }
            if (interrupted) stop = true;
            lock.lock();
        }
        lock.unlock();
        for (auto& thread : pool) thread.join();
    }
    if (interrupted) throw nanobind::python_error();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace topoctl
