import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import weka.classifiers.Classifier;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;

/**
 * Times whole cross-validations of Weka's classifiers on binary data sets, within one virtual machine.
 *
 * The argument is a file of big-endian ints (data sets, examples, attributes, runs, folds) and, for each data set, one
 * byte per attribute and class of each example, then one byte per run and example: its fold. Each line on stdin names
 * a classifier and the first and last data set (exclusive); the answer has the CPU nanoseconds of this thread, which
 * neither the compiler nor the collector of the virtual machine adds to, and the number of correct predictions.
 */
public class CrossValidations {
  static Instances[] data;
  static byte[][][] fold;
  static int folds;

  public static void main(String[] arguments) throws Exception {
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
      read(in);
    }
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in));
    String job;
    while ((job = jobs.readLine()) != null) {
      String[] field = job.split(" ");
      long start = clock.getCurrentThreadCpuTime();
      long correct = 0;
      for (int d = Integer.parseInt(field[1]); d < Integer.parseInt(field[2]); d++) {
        correct += crossValidate(field[0], d);
      }
      System.out.println((clock.getCurrentThreadCpuTime() - start) + " " + correct);
      System.out.flush();
    }
  }

  static void read(DataInputStream in) throws Exception {
    int sets = in.readInt();
    int examples = in.readInt();
    int attributes = in.readInt();
    int runs = in.readInt();
    folds = in.readInt();
    data = new Instances[sets];
    fold = new byte[sets][runs][examples];
    for (int d = 0; d < sets; d++) {
      data[d] = new Instances("d" + d, header(attributes), examples);
      data[d].setClassIndex(attributes);
      for (int i = 0; i < examples; i++) {
        double[] values = new double[attributes + 1];
        for (int j = 0; j <= attributes; j++) {
          values[j] = in.readByte();
        }
        data[d].add(new Instance(1.0, values));
      }
      for (int r = 0; r < runs; r++) {
        in.readFully(fold[d][r]);
      }
    }
  }

  static FastVector header(int attributes) {
    FastVector values = new FastVector();
    values.addElement("0");
    values.addElement("1");
    FastVector all = new FastVector();
    for (int j = 0; j <= attributes; j++) {
      all.addElement(new Attribute("x" + j, values));
    }
    return all;
  }

  static long crossValidate(String classifier, int d) throws Exception {
    long correct = 0;
    for (byte[] foldOf : fold[d]) {
      for (int k = 0; k < folds; k++) {
        Instances train = new Instances(data[d], foldOf.length);
        for (int i = 0; i < foldOf.length; i++) {
          if (foldOf[i] != k) {
            train.add(data[d].instance(i));
          }
        }
        Classifier learner = Classifier.forName(classifier, new String[0]);
        learner.buildClassifier(train);
        for (int i = 0; i < foldOf.length; i++) {
          if (foldOf[i] == k && learner.classifyInstance(data[d].instance(i)) == data[d].instance(i).classValue()) {
            correct++;
          }
        }
      }
    }
    return correct;
  }
}
