// What Weka's own loader reads from ARFF files: a digest of all values, for comparison with another parser.
// Run:  javac -cp weka.jar -d /some/folder tests/reference/generators/weka/ArffDigests.java
//       java -cp weka.jar:/some/folder ArffDigests FOLDER/*.arff FOLDER/*.arff.gz > tests/reference/weka/arff_digests.tsv
// Columns: file, rows, columns, SHA-256 of the values (row by row, big-endian doubles, nominal values as indices,
// missing as the canonical NaN), SHA-256 of all attribute names and nominal values (each followed by a newline).
import java.io.*;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.GZIPInputStream;
import weka.core.*;

public class ArffDigests {
    public static void main(String[] files) throws Exception {
        System.out.println("# Weka " + Version.VERSION + "; written by tests/reference/generators/weka/ArffDigests.java");
        System.out.println("file\trows\tcolumns\tvalues\tnames");
        for (String file : files) {
            InputStream in = new FileInputStream(file);
            if (file.endsWith(".gz")) in = new GZIPInputStream(in);
            Instances data = new Instances(new BufferedReader(new InputStreamReader(in, "ISO-8859-1")));
            System.out.println(new File(file).getName() + "\t" + data.numInstances() + "\t" + data.numAttributes()
                + "\t" + values(data) + "\t" + names(data));
        }
    }

    static String values(Instances data) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < data.numInstances(); i++)
            for (int j = 0; j < data.numAttributes(); j++) {
                double value = data.instance(i).isMissing(j) ? Double.NaN : data.instance(i).value(j);
                digest.update(ByteBuffer.allocate(8).putLong(Double.doubleToLongBits(value)).array());
            }
        return hex(digest.digest());
    }

    static String names(Instances data) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int j = 0; j < data.numAttributes(); j++) {
            Attribute attribute = data.attribute(j);
            digest.update((attribute.name() + "\n").getBytes("UTF-8"));
            for (int k = 0; attribute.isNominal() && k < attribute.numValues(); k++)
                digest.update((attribute.value(k) + "\n").getBytes("UTF-8"));
        }
        return hex(digest.digest());
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) text.append(String.format("%02x", b));
        return text.toString();
    }
}
